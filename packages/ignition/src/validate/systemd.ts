import { extension, goQuote } from '@coreiso/peers/go';
import { UNIT_SUFFIXES } from '../spec/fields.ts';
import type { Dropin, Systemd, Unit } from '../spec/generated/types.ts';
import type { Check } from './breaches.ts';
import { readUnit } from './unit-text.ts';

/** `x@y.service`; the name of its template begins with the text before the first `@`. */
const INSTANCE = /^([^\n]+?)@[^\n]+\.service$/;

/** Warns about an enabled instance of a template without an install section. */
export const checkSystemd: Check<Systemd> = ({ units = [] }, at, findings) => {
  const byName = new Map(units.map((unit) => [unit.name ?? '', unit]));
  const uninstallable = new Map<string, boolean>();
  for (const [index, { enabled, name = '' }] of units.entries()) {
    const base = enabled ? INSTANCE.exec(name)?.[1] : undefined;
    if (base === undefined) continue;
    const template = `${base}@.service`;
    let speak = uninstallable.get(template);
    if (speak === undefined) {
      speak = lacksInstall(byName.get(template)?.contents);
      uninstallable.set(template, speak);
    }
    const detail = `${goQuote(template)} for ${goQuote(name)} doesn't have Install section`;
    if (speak) findings.addWith(detail, 'template-without-install', at, 'units', index, 'contents');
  }
};

function lacksInstall(contents: string | undefined): boolean {
  if (!contents) return false;
  const reading = readUnit(contents);
  return reading.fault === undefined && !reading.installs;
}

export const checkUnit: Check<Unit> = ({ contents, enabled, name = '' }, at, findings) => {
  if (!UNIT_SUFFIXES.includes(extension(name))) findings.add('unit-extension', at, 'name');
  if (!contents) return;
  const reading = readUnit(contents);
  if (reading.fault !== undefined) findings.addWith(reading.fault, 'unit-contents', at, 'contents');
  else if (enabled && !reading.installs) {
    const detail = `${goQuote(name)} is enabled, but has no install section so enable does nothing`;
    findings.addWith(detail, 'unit-without-install', at, 'contents');
  }
};

export const checkDropin: Check<Dropin> = ({ contents, name = '' }, at, findings) => {
  const fault = contents ? readUnit(contents).fault : undefined;
  if (fault !== undefined) findings.addWith(fault, 'unit-contents', at, 'contents');
  if (extension(name) !== '.conf') findings.add('dropin-extension', at, 'name');
};
