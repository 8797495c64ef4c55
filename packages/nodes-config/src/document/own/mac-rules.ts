import { formatPath } from '@coreiso/diagnostics';
import type { Findings } from '../findings.ts';
import { canonicalMac, isColonMac, parseMac } from '../mac.ts';
import type { CheckedHost } from './checked-host.ts';
import type { FirstUses } from './first-uses.ts';

/** MAC addresses that upstream takes and that find no machine, or the wrong one. */
export function checkMacs({ path, values }: CheckedHost, uses: FirstUses, findings: Findings): void {
  for (const [index, { macAddress }] of values.interfaces.entries()) {
    const at = [...path, 'interfaces', index, 'macAddress'];
    const canonical = canonicalMac(macAddress);
    if (canonical === undefined || parseMac(macAddress)?.length !== 6) continue;
    const earlier = uses.claim(canonical, { text: macAddress, path: at });
    // The same text twice is upstream's to report.
    if (earlier !== undefined && earlier.text !== macAddress) {
      findings.own({
        code: 'nodes-config/duplicate-mac',
        message: `${macAddress} is the same MAC address as ${earlier.text} of ${formatPath(earlier.path)}`,
        path: at,
        cure: 'Give every interface the MAC address of its own machine.',
      });
    }
    if (canonical === '00:00:00:00:00:00') {
      findings.own({
        code: 'nodes-config/zero-mac',
        message: 'the all-zero MAC address is that of the loopback interface of every machine',
        path: at,
        cure: 'Write the address that is printed on the network card.',
      });
    } else if (canonical === 'ff:ff:ff:ff:ff:ff') {
      findings.own({
        code: 'nodes-config/broadcast-mac',
        message: 'the broadcast address belongs to no network card',
        path: at,
        cure: 'Write the address that is printed on the network card.',
      });
    }
    // With a network state upstream refuses other notations itself.
    if (values.networkConfig === undefined && !isColonMac(macAddress)) {
      findings.own({
        code: 'nodes-config/mac-form',
        message: `${macAddress} never matches at boot, where addresses are compared as text with colons: name, role and hints would be lost`,
        path: at,
        cure: `Write ${canonical}.`,
      });
    }
  }
}
