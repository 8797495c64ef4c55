import { withoutSecrets } from '@coreiso/diagnostics';
import type { ClusterFacts } from '@coreiso/nodes-config';
import { checkArgument } from '@coreiso/peers/arguments';
import { HIDDEN } from '@coreiso/peers/hidden';

const PROXIES = ['httpProxy', 'httpsProxy'] as const;

/**
 * Cluster facts without secrets: no pull secret, no members with secret names, no users and passwords in addresses.
 *
 * @example
 * await writeFile('facts.json', JSON.stringify(redactFacts(facts)));
 */
export function redactFacts(facts: ClusterFacts): ClusterFacts {
  const secrets = secretMembers(facts);
  const { proxy } = facts;
  const clean = Object.fromEntries(
    PROXIES.filter((name) => secrets.includes(`proxy.${name}`)).map((name) => [name, withoutUser(proxy?.[name] ?? '')]),
  );
  return withoutSecrets({ ...facts, ...(proxy && { proxy: { ...proxy, ...clean } }) }) as ClusterFacts;
}

/**
 * Names of the members of facts that are secret or contain a password.
 *
 * @example
 * console.error(`keep ${secretMembers(facts).join(', ')} to yourself`);
 */
export function secretMembers(facts: ClusterFacts): readonly string[] {
  checkArgument('facts', facts, 'object');
  return Object.entries(facts).flatMap(([name, value]) => {
    if (name === 'proxy')
      return PROXIES.filter((proxy) => facts.proxy?.[proxy]?.includes('@')).map((proxy) => `proxy.${proxy}`);
    return JSON.stringify(withoutSecrets({ [name]: value })) === JSON.stringify({ [name]: value }) ? [] : [name];
  });
}

/** In a proxy that is not a URL the user has no known start: everything before the last `@` is hidden. */
function withoutUser(proxy: string): string {
  const [, scheme = ''] = /^([A-Za-z][\w+.-]*:\/\/)/.exec(proxy) ?? [];
  return `${scheme}${HIDDEN}${proxy.slice(proxy.lastIndexOf('@'))}`;
}
