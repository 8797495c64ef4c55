import { formatPath } from '@coreiso/diagnostics';
import { canonicalAddress } from '../address.ts';
import type { Findings } from '../findings.ts';
import { readAddresses } from '../network-view.ts';
import type { CheckedHost } from './checked-host.ts';
import type { FirstUses } from './first-uses.ts';

/** Addresses that two hosts share. */
export function checkAddresses({ values }: CheckedHost, uses: FirstUses, findings: Findings): void {
  const { networkConfig } = values;
  const reading = networkConfig && readAddresses(networkConfig.node, networkConfig.path);
  for (const { text, path } of reading?.ok ? reading.addresses : []) {
    const canonical = canonicalAddress(text);
    if (canonical === undefined || isPrivateToHost(canonical)) continue;
    const earlier = uses.claim(canonical, { text, path });
    if (earlier === undefined) continue;
    findings.own({
      code: 'nodes-config/duplicate-address',
      message: `${text} is already the address of ${formatPath(earlier.path.slice(0, 2))}`,
      path,
      cure: 'Give every host addresses of its own.',
    });
  }
}

/** Loopback and link-local addresses mean something else on every host. */
function isPrivateToHost(address: string): boolean {
  return /^127\./.test(address) || address === '::1' || /^fe[89ab][0-9a-f]:/.test(address);
}
