// The identity of a host: its MAC addresses, its name, its addresses. Each may belong to one host only.

import { formatPath } from '@coreiso/diagnostics';
import { fileNameFault } from '@coreiso/peers/file-name';
import { canonicalMac, parseMac } from '@coreiso/peers/go';
import { canonicalAddressAsGo } from '@coreiso/peers/ip';
import type { Rule } from '../../text/codes.ts';
import type { Findings } from '../../text/config-findings.ts';
import type { CheckedHost } from '../host-fields.ts';
import { isColonMac } from '../mac.ts';
import { type Mention, readAddresses } from '../network-view.ts';

interface Use extends Mention {
  readonly manifest: number | undefined;
}

/** The first use of each value. */
export class FirstUses {
  readonly #uses = new Map<string, Use>();

  /** The earlier use of the same key, if there is one. */
  claim(key: string, use: Use): Use | undefined {
    const earlier = this.#uses.get(key);
    if (earlier === undefined) this.#uses.set(key, use);
    return earlier;
  }
}

function formatPlace({ path, manifest }: Pick<Use, 'path' | 'manifest'>): string {
  return manifest === undefined ? formatPath(path) : `${formatPath(path)} in manifest ${manifest}`;
}

/** Reports MAC addresses that upstream accepts, but that match no machine or the wrong one. */
export function checkMacs({ path, manifest, values }: CheckedHost, uses: FirstUses, findings: Findings): void {
  for (const [index, { macAddress }] of values.interfaces.entries()) {
    const at = [...path, 'interfaces', index, 'macAddress'];
    const canonical = canonicalMac(macAddress);
    if (canonical === undefined || parseMac(macAddress)?.length !== 6) continue;
    const earlier = uses.claim(canonical, { text: macAddress, path: at, manifest });
    // Upstream reports equal texts in one manifest itself, but does not compare manifests.
    if (earlier !== undefined && (earlier.text !== macAddress || earlier.manifest !== manifest)) {
      findings.own({
        code: 'nodes-config/duplicate-mac',
        message: `${macAddress} is the same MAC address as ${earlier.text} of ${formatPlace(earlier)}`,
        path: at,
        help: 'Give every interface the MAC address of its own machine.',
      });
    }
    if (canonical === '00:00:00:00:00:00') {
      findings.own({
        code: 'nodes-config/zero-mac',
        message: 'the all-zero MAC address is that of the loopback interface of every machine',
        path: at,
        help: 'Write the address that is printed on the network card.',
      });
    } else if (canonical === 'ff:ff:ff:ff:ff:ff') {
      findings.own({
        code: 'nodes-config/broadcast-mac',
        message: 'the broadcast address belongs to no network card',
        path: at,
        help: 'Write the address that is printed on the network card.',
      });
    }
    // With a network state upstream refuses other notations itself.
    if (values.networkConfig === undefined && !isColonMac(macAddress)) {
      findings.own({
        code: 'nodes-config/mac-form',
        message: `${macAddress} never matches at boot, where addresses are compared as text with colons: name, role and hints would be lost`,
        path: at,
        help: `Write ${canonical}.`,
      });
    }
  }
}

const HOSTNAME = /^[a-z0-9][a-z0-9-]{0,62}(?:[.][a-z0-9-]{1,63})*$/;

/** The service on the node refuses these names. */
const LOCAL_NAMES: ReadonlySet<string> = new Set([
  'localhost',
  'localhost.localdomain',
  'localhost4',
  'localhost4.localdomain4',
  'localhost6',
  'localhost6.localdomain6',
]);

/** Reports names that the service refuses on the node, or that lead out of their directory. */
export function checkHostname({ path, manifest, values }: CheckedHost, uses: FirstUses, findings: Findings): void {
  const { hostname } = values;
  if (hostname === '') return;
  const at = [...path, 'hostname'];
  const report = (code: Rule, message: string, help: string): void =>
    findings.own({ code: `nodes-config/${code}`, message, path: at, help });
  const earlier = uses.claim(hostname.toLowerCase(), { text: hostname, path: at, manifest });
  if (earlier !== undefined) {
    const message = `${hostname} is already the name of ${formatPath(earlier.path.slice(0, -1))}`;
    report('duplicate-hostname', message, 'Give every host a name of its own.');
  }
  const fault = fileNameFault(hostname);
  if (fault !== undefined) {
    const message = `${JSON.stringify(hostname)} is not a file name: ${fault}, and the files of this host are in a directory of that name`;
    report('hostname-path', message, 'Use letters, digits, dashes and dots only.');
  } else if (hostname.length > 63) {
    const message = `hostname is too long, must be 63 characters or less. Hostname: ${hostname} has ${hostname.length} characters`;
    report('hostname-invalid', message, 'Shorten it.');
  } else if (!HOSTNAME.test(hostname)) {
    const message = `Hostname does not pass required regex validation: ${HOSTNAME.source}. Hostname: ${hostname}`;
    report(
      'hostname-invalid',
      message,
      hostname.endsWith('.')
        ? 'Remove the dot at the end.'
        : 'Use lower-case letters, digits, dashes and dots, and begin with a letter or digit.',
    );
  } else if (LOCAL_NAMES.has(hostname)) {
    report('hostname-invalid', `The host name ${hostname} is forbidden`, 'Choose another name.');
  }
}

/** Reports addresses that two hosts share. */
export function checkAddresses({ manifest, values }: CheckedHost, uses: FirstUses, findings: Findings): void {
  const { networkConfig } = values;
  const reading = networkConfig && readAddresses(networkConfig.node, networkConfig.path);
  for (const { text, path } of reading?.ok ? reading.addresses : []) {
    const canonical = canonicalAddressAsGo(text);
    if (canonical === undefined || isPrivateToHost(canonical)) continue;
    const earlier = uses.claim(canonical, { text, path, manifest });
    if (earlier === undefined) continue;
    findings.own({
      code: 'nodes-config/duplicate-address',
      message: `${text} is already the address of ${formatPlace({ ...earlier, path: earlier.path.slice(0, 2) })}`,
      path,
      help: 'Give every host addresses of its own.',
    });
  }
}

/** Loopback and link-local addresses may be the same on every host. */
function isPrivateToHost(address: string): boolean {
  return /^127\./.test(address) || address === '::1' || /^fe[89ab][0-9a-f]:/.test(address);
}
