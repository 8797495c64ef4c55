// The permissions that a user needs to read a cluster, as an object that grants them.
import {
  CONCERNS,
  FACTS,
  INSTALL_CONFIG,
  NETWORKS,
  REGISTRIES,
  type Resource,
  SERVICE_TOKENS,
  SURROUNDINGS,
} from './resources.ts';

const ROLE = 'coreiso-facts';

/**
 * ClusterRole `coreiso-facts` as YAML: exactly the permissions that `readCluster` and `readNetworks` need. It leaves out the
 * ConfigMap with registry certificates, whose name the cluster chooses (`additionalTrustedCA` of Image `cluster`).
 *
 * @example await writeFile('role.yaml', factsRole())
 */
export function factsRole(): string {
  return roleFor([...FACTS, ...NETWORKS, INSTALL_CONFIG, ...SURROUNDINGS, ...CONCERNS, REGISTRIES, SERVICE_TOKENS]);
}

/** The role for some of them, with help; `message` is the API's, which names the user. */
export function grantHelp(missing: readonly Resource[], message: string): string {
  const user = /^[^"]*\bUser "([\w:.@/-]+)"/i.exec(message.replace(/^.*?is forbidden: /, ''))?.[1] ?? 'USER';
  return `As an administrator, save this as role.yaml, then: oc apply -f role.yaml && oc adm policy add-cluster-role-to-user ${ROLE} ${user}\n${roleFor(missing)}`;
}

/** One rule per group, resource and verbs; names are collected. */
function roleFor(resources: readonly Resource[]): string {
  const rules = new Map<string, { readonly resource: Resource; readonly names: Set<string> }>();
  for (const resource of resources) {
    const key = `${resource.group}/${resource.plural}/${resource.name === undefined}`;
    const rule = rules.get(key) ?? { resource, names: new Set() };
    rules.set(key, rule);
    if (resource.name !== undefined) rule.names.add(resource.name);
  }
  const sorted = [...rules.entries()].sort(([one], [other]) => (one < other ? -1 : 1));
  return [
    'apiVersion: rbac.authorization.k8s.io/v1',
    'kind: ClusterRole',
    'metadata:',
    `  name: ${ROLE}`,
    'rules:',
    ...sorted.flatMap(([, { resource, names }]) => ruleLines(resource, names)),
    '',
  ].join('\n');
}

function ruleLines({ group, plural }: Resource, names: ReadonlySet<string>): string[] {
  return [
    `- apiGroups: ["${group}"]`,
    `  resources: [${plural}]`,
    ...(names.size === 0 ? [] : [`  resourceNames: [${[...names].map((name) => JSON.stringify(name)).join(', ')}]`]),
    `  verbs: [${names.size === 0 ? 'get, list' : 'get'}]`,
  ];
}
