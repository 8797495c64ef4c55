// Hosts outside the machine networks: virtual addresses that must not move to them, validations that they cannot pass.
import { memberOf, textOf } from '@coreiso/peers/members';
import type { KubeObject } from '../facts/objects.ts';
import { type AdvisedChange, type Finding, shellWord } from './advice.ts';
import {
  disabledValidations,
  keepalivedOverride,
  NO_KEEPALIVED,
  REMOTE_POOL,
  REMOTE_VALIDATIONS,
  remotePool,
  SERVICE_SETTINGS_ANNOTATION,
} from './recommended-objects.ts';
import { joinNames, type Surroundings } from './surroundings.ts';

/** Where the assisted service runs on a hub with multicluster engine. */
const SERVICE_NAMESPACE = 'multicluster-engine';
/** Accepted by clusters since 4.7. */
const IGNITION_VERSION = '3.2.0';

export function adviseRemote(around: Surroundings): Finding[] {
  return [...keepalived(around), ...validations(around), ...labelledNodes(around)];
}

function keepalived(around: Surroundings): Finding[] {
  const { remote, facts } = around;
  const [first] = remote;
  if (first === undefined || !around.hasVirtualAddresses) return [];
  const version = facts.workerUserData?.ignition.version ?? IGNITION_VERSION;
  const names = remote.map(({ name }) => name);
  const addresses = [...new Set([...(facts.apiVIPs ?? []), ...(facts.ingressVIPs ?? [])])];
  return [
    {
      severity: 'warning',
      code: 'keepalived-on-remote-node',
      message: `keepalived on ${joinNames(names)}, outside every machine network, may claim ${joinNames(addresses)} where no client can reach it`,
      path: first.networkPath,
      help: 'Empty its static pod at the first boot, and keep it empty by a machine config pool of remote workers.',
      manifests: [
        ...names.map(
          (name): AdvisedChange => ({
            kind: 'file',
            name: `ignition-override-${name}.ign`,
            text: `${keepalivedOverride(version)}\n`,
            why: `Merged into the pointer config of ${name}, it keeps keepalived off from the first boot; on a hub it is the annotation bmac.agent-install.openshift.io/ignition-config-overrides.`,
          }),
        ),
        ...poolManifests(around, version),
        {
          kind: 'command',
          command: `oc label node ${names.map(shellWord).join(' ')} node-role.kubernetes.io/${REMOTE_POOL}=`,
          why: 'Puts the nodes into the pool, as soon as they have joined.',
        },
      ],
    },
  ];
}

/** Empty if a pool has that MachineConfig already. */
function poolManifests(around: Surroundings, version: string): AdvisedChange[] {
  const isThere = around.facts.machineConfigPools?.some(({ sources = [] }) => sources.includes(NO_KEEPALIVED));
  const isGiven = (kind: string, name: string): boolean =>
    around.given(kind).some((object) => textOf(object, 'metadata', 'name') === name);
  if (isThere || (isGiven('MachineConfig', NO_KEEPALIVED) && isGiven('MachineConfigPool', REMOTE_POOL))) return [];
  const [pool, config] = remotePool(version);
  const why = 'Workers outside the machine networks get everything that workers get, and no keepalived.';
  return [
    { kind: 'manifest', name: `machineconfigpool-${REMOTE_POOL}.yaml`, object: pool, why },
    { kind: 'manifest', name: `machineconfig-${NO_KEEPALIVED}.yaml`, object: config, why },
  ];
}

/** Day-2 hosts are exempt. */
function validations(around: Surroundings): Finding[] {
  const { remote, day } = around;
  const [first] = remote;
  const left = REMOTE_VALIDATIONS.filter((name) => !validationsSwitchedOff(around).has(name));
  if (day !== 'install' || first === undefined || left.length === 0) return [];
  const settings = disabledValidations(SERVICE_NAMESPACE);
  const name = textOf(settings, 'metadata', 'name');
  return [
    {
      severity: 'warning',
      code: 'validations-left-on',
      message: `the service does not install ${joinNames(remote.map((host) => host.name))} while it checks ${joinNames(left)}, which hosts outside every machine network cannot pass`,
      path: first.networkPath,
      help: 'Switch these validations off, by a ConfigMap that an annotation of AgentServiceConfig agent names.',
      manifests: [
        {
          kind: 'manifest',
          name: `configmap-${name}.yaml`,
          object: settings,
          why: 'Lets the assisted service install hosts outside the machine networks.',
        },
        {
          kind: 'command',
          command: `oc annotate agentserviceconfig agent ${SERVICE_SETTINGS_ANNOTATION}=${name}`,
          why: 'Makes the service read it.',
        },
      ],
    },
  ];
}

/** Validations that the given service settings switch off; a ConfigMap has no effect unless the annotation names it. */
function validationsSwitchedOff(around: Surroundings): Set<string> {
  const named = around
    .given('AgentServiceConfig')
    .map((config) => textOf(memberOf(config, 'metadata', 'annotations'), SERVICE_SETTINGS_ANNOTATION));
  const maps = around.given('ConfigMap').filter((map) => named.includes(textOf(map, 'metadata', 'name')));
  return new Set(
    maps.flatMap((map) =>
      textOf(map, 'data', 'DISABLED_HOST_VALIDATIONS')
        .split(',')
        .map((id) => id.trim()),
    ),
  );
}

/** A Node object that exists before its machine joins keeps the service from finishing. */
function labelledNodes(around: Surroundings): Finding[] {
  if (around.day !== 'install') return [];
  return around.given('Node').flatMap((node) => {
    const labels = Object.entries(memberOf(node, 'metadata', 'labels') ?? {});
    return labels.length === 0 ? [] : [labelledNode(node, labels)];
  });
}

function labelledNode(node: KubeObject, labels: readonly (readonly [string, unknown])[]): Finding {
  const name = textOf(node, 'metadata', 'name');
  const annotations = labels.map(([key, value]) => `bmac.agent-install.openshift.io.node-label.${key}: "${value}"`);
  return {
    severity: 'error',
    code: 'node-manifest',
    message: `a Node ${name} among the manifests of an installation exists before the machine joins, and keeps the service from finishing`,
    path: [],
    help: 'Remove it, and set its labels on the BareMetalHost, or once the node exists.',
    manifests: [
      {
        kind: 'command',
        command: `oc label node ${[name, ...labels.map(([key, value]) => `${key}=${value}`)].map(shellWord).join(' ')}`,
        why: `Sets the labels after the installation; annotations of the BareMetalHost set them on the way: ${annotations.join(', ')}.`,
      },
    ],
  };
}
