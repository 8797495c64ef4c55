import { memberOf, textOf } from '@coreiso/peers/members';
import type { Finding } from './advice.ts';
import { watchAllNamespaces } from './recommended-objects.ts';
import { joinNames, type Surroundings } from './surroundings.ts';

const WATCHED = 'openshift-machine-api';

/** BareMetalHosts that the bare-metal operator ignores. */
export function adviseBareMetal(around: Surroundings): Finding[] {
  const { facts } = around;
  const isGiven = around
    .given('Provisioning')
    .some((provisioning) => memberOf(provisioning, 'spec', 'watchAllNamespaces') === true);
  if (facts.watchAllNamespaces !== false || isGiven) return [];
  const given = around.given('BareMetalHost').map(({ metadata }) => ({
    name: textOf(metadata, 'name'),
    namespace: textOf(metadata, 'namespace'),
  }));
  const unseen = [...(facts.bareMetalHosts ?? []), ...given].filter(({ namespace }) => namespace !== WATCHED);
  if (unseen.length === 0) return [];
  const names = [...new Set(unseen.map(({ name, namespace }) => `${namespace}/${name}`))];
  return [
    {
      severity: 'warning',
      code: 'unwatched-hosts',
      message: `the bare-metal operator watches only ${WATCHED}, and never sees ${joinNames(names)}`,
      path: [],
      help: 'Let it watch all namespaces.',
      manifests: [
        {
          kind: 'manifest',
          name: 'provisioning-configuration.yaml',
          object: watchAllNamespaces(),
          why: `Lets the bare-metal operator see BareMetalHosts outside ${WATCHED}.`,
        },
      ],
    },
  ];
}
