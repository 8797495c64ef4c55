import { HIDDEN, hideUsers } from '@coreiso/diagnostics';
import { requireObject } from '@coreiso/diagnostics/arguments';
import type { ClusterFacts } from '@coreiso/nodes-config';

const PROXIES = ['httpProxy', 'httpsProxy'] as const;

/**
 * Facts that may be shown to others: the pull secret, and users and passwords in addresses are gone.
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
  return withoutUsers({
    ...facts,
    ...(secrets.includes('pullSecret') && { pullSecret: HIDDEN }),
    ...(proxy && { proxy: { ...proxy, ...clean } }),
  }) as ClusterFacts;
}

/**
 * Which members of facts are secret, or have a password in them.
 *
 * @example
 * console.error(`keep ${secretMembers(facts).join(', ')} to yourself`);
 */
export function secretMembers(facts: ClusterFacts): readonly string[] {
  requireObject('facts', facts);
  const { pullSecret, proxy, workerUserData } = facts;
  return [
    ...(pullSecret === undefined ? [] : ['pullSecret']),
    ...PROXIES.filter((name) => proxy?.[name]?.includes('@')).map((name) => `proxy.${name}`),
    ...(JSON.stringify(withoutUsers(workerUserData)) === JSON.stringify(workerUserData) ? [] : ['workerUserData']),
  ];
}

/** Of a proxy that is no URL nobody knows where the user begins. */
function withoutUser(proxy: string): string {
  const [, scheme = ''] = /^([A-Za-z][\w+.-]*:\/\/)/.exec(proxy) ?? [];
  return `${scheme}${HIDDEN}${proxy.slice(proxy.lastIndexOf('@'))}`;
}

function withoutUsers(value: unknown): unknown {
  if (typeof value === 'string') return hideUsers(value);
  if (Array.isArray(value)) return value.map(withoutUsers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutUsers(member)]));
}
