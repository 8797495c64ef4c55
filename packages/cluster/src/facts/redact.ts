import { HIDDEN } from '@coreiso/diagnostics';
import { requireObject } from '@coreiso/diagnostics/arguments';
import type { ClusterFacts } from '@coreiso/nodes-config';

/** Whoever is named before the host of an address. */
const USER = /\/\/[^/@]*@/;
const PROXIES = ['httpProxy', 'httpsProxy'] as const;

/**
 * Facts that may be shown to others: the pull secret and passwords of proxies are gone.
 *
 * @example
 * await writeFile('facts.json', JSON.stringify(redactFacts(facts)));
 */
export function redactFacts(facts: ClusterFacts): ClusterFacts {
  const secrets = secretMembers(facts);
  const { proxy } = facts;
  const clean = Object.fromEntries(
    PROXIES.filter((name) => secrets.includes(`proxy.${name}`)).map((name) => [
      name,
      proxy?.[name]?.replace(USER, `//${HIDDEN}@`),
    ]),
  );
  return {
    ...facts,
    ...(secrets.includes('pullSecret') && { pullSecret: HIDDEN }),
    ...(proxy && { proxy: { ...proxy, ...clean } }),
  };
}

/**
 * Which members of facts are secret, or have a password in them.
 *
 * @example
 * console.error(`keep ${secretMembers(facts).join(', ')} to yourself`);
 */
export function secretMembers(facts: ClusterFacts): readonly string[] {
  requireObject('facts', facts);
  const { pullSecret, proxy } = facts;
  return [
    ...(pullSecret === undefined ? [] : ['pullSecret']),
    ...PROXIES.filter((name) => USER.test(proxy?.[name] ?? '')).map((name) => `proxy.${name}`),
  ];
}
