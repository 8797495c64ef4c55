import { type Node, parseJson } from '@coreiso/diagnostics';
import { utf8Length } from '@coreiso/peers/go';
import { CUSTOM_PINS } from '../spec/fields.ts';
import type { Clevis, CustomPin, Luks, Tang } from '../spec/generated/types.ts';
import { isZero } from '../spec/values.ts';
import type { Check } from './breaches.ts';
import { pathFault } from './path.ts';
import { schemeOf, sourceFault } from './url.ts';

const MAX_LABEL = 47;

export const checkLuks: Check<Luks> = ({ cex, clevis, device, keyFile, label, name }, at, findings) => {
  const { minor } = findings;
  if (name?.includes('/')) findings.add('luks-name-slash', at, 'name');
  if (label && utf8Length(label) > MAX_LABEL) findings.add('luks-label-length', at, 'label');
  const fault = device ? pathFault(device) : 'device-required';
  if (fault !== undefined) findings.add(fault, at, 'device');
  const custom = minor === 2 ? clevis?.custom !== undefined : Boolean(clevis?.custom?.pin);
  const automatic = clevis !== undefined && usesAutomaticPin(clevis);
  if (custom && automatic) findings.add('clevis-conflict', at, 'clevis');
  // `keys` does not exist, but ignition-validate reports it.
  if (keyFile?.source && sourceFault(keyFile.source, minor)) findings.add('key-file-source', at, 'keys');
  if (!cex?.enabled) return;
  if (custom || automatic) findings.add('cex-with-clevis', at, 'cex');
  if (keyFile?.source) findings.add('cex-with-key-file', at, 'cex');
};

function usesAutomaticPin({ tang = [], threshold = 0, tpm2 }: Clevis): boolean {
  return tang.length > 0 || tpm2 === true || !isZero(threshold);
}

export const checkCustomPin: Check<CustomPin> = ({ config = '', needsNetwork, pin = '' }, at, findings) => {
  const { minor } = findings;
  const used = pin !== '' || config !== '' || (minor > 2 && needsNetwork);
  if (!used) return;
  if (pin === '' && minor > 2) findings.add('clevis-pin-required', at, 'pin');
  else if (minor < 6 && !CUSTOM_PINS.includes(pin)) findings.add('clevis-pin-unknown', at, 'pin');
  if (config === '') findings.add('clevis-config-required', at, 'config');
};

export const checkTang: Check<Tang> = ({ advertisement, thumbprint, url }, at, findings) => {
  const scheme = schemeOf(url ?? '');
  if (scheme === undefined) findings.add('url-unparsable', at, 'url');
  else if (scheme !== 'http' && scheme !== 'https') findings.add('url-scheme', at, 'url');
  if (!thumbprint) findings.add('tang-thumbprint-required', at, 'thumbprint');
  if (advertisement && !isJson(advertisement)) findings.add('tang-advertisement', at, 'advertisement');
};

/** Whether a text is JSON whose numbers fit a double. */
function isJson(text: string): boolean {
  const parsed = parseJson(text);
  if (!parsed.ok || parsed.value.root === undefined) return false;
  const pending: Node[] = [parsed.value.root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.kind === 'mapping') for (const { value } of node.entries) pending.push(value);
    else if (node.kind === 'sequence') for (const item of node.items) pending.push(item);
    else if (node.style === 'plain' && /^[-0-9]/.test(node.text) && !Number.isFinite(Number(node.text))) return false;
  }
  return true;
}
