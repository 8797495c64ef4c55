// Routers for a remote site, and a load balancer in front of routers, as `nodes advise` recommends, for any names.
import { writeGoYaml } from '@coreiso/diagnostics';
import { haproxySketch, shardedIngressController } from '@coreiso/nodes-config';
import { canonicalAddress } from '@coreiso/peers/ip';
import type { Action } from '../../../frame/command.ts';

/** `coreiso nodes shard`. */
export const shard: Action = async (args, terminal) => {
  const controller = shardedIngressController({
    name: args.required('name'),
    domain: args.required('domain'),
    nodeLabels: Object.fromEntries(args.list('node-label').map(readLabel)),
    routeLabels: Object.fromEntries(args.list('route-label').map(readLabel)),
    replicas: Number(args.optional('replicas') ?? 1),
  });
  await terminal.print(
    `# Routers for the routes that have these labels, on the nodes that have those.\n${writeGoYaml(controller)}`,
  );
  return 0;
};

/** `coreiso nodes haproxy`. */
export const haproxy: Action = async (args, terminal) => {
  const backends = args.list('node').map(readBackend);
  await terminal.print(haproxySketch(args.required('domain'), backends));
  return 0;
};

/** Parses a Kubernetes label `KEY=VALUE`; throws for any other text. */
export function readLabel(text: string): readonly [key: string, value: string] {
  const [, key = '', value = ''] =
    /^((?:[a-z0-9][-a-z0-9.]*\/)?[A-Za-z0-9](?:[-\w.]*[A-Za-z0-9])?)=((?:[A-Za-z0-9](?:[-\w.]*[A-Za-z0-9])?)?)$/.exec(
      text,
    ) ?? [];
  if (key === '') throw new Error('expected KEY=VALUE, such as site=far');
  return [key, value];
}

/** Parses `NAME=ADDRESS`; throws for any other text. */
export function readBackend(text: string): { readonly name: string; readonly address: string } {
  const [, name = '', address = ''] = /^([a-z0-9](?:[-a-z0-9.]*[a-z0-9])?)=(.+)$/.exec(text) ?? [];
  const canonical = canonicalAddress(address);
  if (canonical === undefined) throw new Error('expected NAME=ADDRESS, such as far-0=198.51.100.7');
  return { name, address: canonical };
}

/** Throws if a text is not a DNS name. */
export function checkDomain(text: string): void {
  const isName = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)+$/.test(text);
  if (!isName || text.length > 253) throw new Error('expected a domain, such as apps-far.reef.example.test');
}

/** Throws if a text is not an object name. */
export function checkObjectName(text: string): void {
  if (!/^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/.test(text) || text.length > 63 || text === 'default')
    throw new Error('expected a name other than default, of lower-case letters, digits and hyphens');
}

/** Throws if a text is not a number of routers. */
export function checkReplicas(text: string): void {
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new Error('expected a number of routers');
}
