import type { Profile } from '@coreiso/nmstate';
import type { Findings } from '../text/config-findings.ts';
import type { ReadText } from '../text/read-text.ts';
import type { Host } from './host.ts';
import { buildHost } from './host.ts';
import type { HostValues } from './host-fields.ts';
import { checkHosts, type HostListContext } from './host-rules.ts';
import { checkNetwork } from './network-rules.ts';
import { OwnRules } from './own/own-rules.ts';
import { checkSanity } from './own/sanity-rules.ts';

/**
 * Checks `hosts` by all rules, upstream's and coreiso's, and returns the hosts.
 *
 * @example const hosts = checkHostList(values.hosts, { isElsewhere: false, rendezvousIP: '' }, findings)
 */
export function checkHostList(
  values: readonly HostValues[],
  context: HostListContext,
  findings: Findings<'hosts' | 'network'>,
): Host[] {
  checkHosts(values, context, findings);
  let number = 0;
  const hosts = values.map((host, index) => {
    const path = ['hosts', index];
    const { interfaces, networkConfig: network } = host;
    let profiles: readonly Profile[] = [];
    if (network !== undefined) {
      profiles = checkNetwork({ number, path, interfaces, network, isElsewhere: context.isElsewhere }, findings);
      number++;
    }
    return buildHost(host, path, profiles);
  });
  const own = new OwnRules(findings);
  for (const [index, host] of values.entries()) own.check({ path: ['hosts', index], values: host });
  const { rendezvousIP, virtualAddresses, machines } = context;
  checkSanity(hosts, { rendezvousIP, virtualAddresses, machines }, findings);
  return hosts;
}

/**
 * Notes documents after the first: upstream ignores them.
 *
 * @example noteIgnoredDocuments(read, findings)
 */
export function noteIgnoredDocuments({ ignored }: ReadText & { ok: true }, findings: Findings): void {
  if (ignored === undefined) return;
  findings.own(
    {
      code: 'nodes-config/ignored-document',
      message: 'only the first document of a file is read, and here another one begins',
      help: 'Put everything into one document, or remove what follows.',
    },
    ignored,
  );
}
