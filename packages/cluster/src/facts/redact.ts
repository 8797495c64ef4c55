import { HIDDEN } from '@coreiso/diagnostics';
import { requireObject } from '@coreiso/diagnostics/arguments';
import type { ClusterFacts } from '@coreiso/nodes-config';

/**
 * Facts that may be shown to others: the pull secret and passwords of proxies are gone.
 *
 * @example
 * await writeFile('facts.json', JSON.stringify(redactFacts(facts)));
 */
export function redactFacts(facts: ClusterFacts): ClusterFacts {
  requireObject('facts', facts);
  const { pullSecret, proxy } = facts;
  const clean = (url: string | undefined) => url?.replace(/\/\/[^/@]*@/, `//${HIDDEN}@`);
  return {
    ...facts,
    ...(pullSecret === undefined ? {} : { pullSecret: HIDDEN }),
    ...(proxy && {
      proxy: Object.fromEntries(
        Object.entries(proxy).map(([name, value]) => [name, name === 'noProxy' ? value : clean(value)]),
      ),
    }),
  };
}
