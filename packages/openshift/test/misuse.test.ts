import {
  adviseNodes,
  authTokenSecret,
  egressAssignableNodes,
  factExpiries,
  haproxySketch,
  hostData,
  isUpstream,
  manifestFiles,
  parseAgentConfig,
  parseInfraEnv,
  parseNMStateConfig,
  parseNodesConfig,
  pinnedIngressController,
  remoteHosts,
  shardedIngressController,
  simulateBoot,
  splitMessages,
} from '@coreiso/nodes-config';
import { buildNodesImage, liveConfig, newStatusToken, outlineBoots, workerIgnition } from '@coreiso/openshift';
import { writeOutputs } from '@coreiso/openshift/node';
import { expect, test } from 'vitest';
import { openImageBuilder } from '../src/images/image-builder.ts';

/** Invalid arguments of callers without types, and the messages. */
const WRONG: readonly (readonly [function_: (...args: never[]) => unknown, args: readonly unknown[], told: string])[] =
  [
    [writeOutputs, [undefined, '/srv'], 'built.outputs must be an array, not undefined'],
    [writeOutputs, [{ outputs: {} }, '/srv'], 'built.outputs must be an array, not an object'],
    [writeOutputs, [{ outputs: [] }, 7], 'directory must be a string, not a number'],
    [writeOutputs, [{ outputs: [] }, '/srv', null], 'options must be an object, not null'],
    [isUpstream, [null], 'finding must be an object, not null'],
    [splitMessages, ['text'], 'diagnostics must be an array, not a string'],
    [parseNodesConfig, ['', null], 'options must be an object, not null'],
    [parseAgentConfig, ['', null], 'options must be an object, not null'],
    [parseInfraEnv, ['', null], 'options must be an object, not null'],
    [parseNMStateConfig, ['', null], 'options must be an object, not null'],
    [buildNodesImage, [null, { hosts: [] }], 'base must be a ByteSource or an open LiveImage'],
    [buildNodesImage, ['image.iso', { hosts: [] }], 'base must be a ByteSource or an open LiveImage'],
    [buildNodesImage, [{}, { hosts: [] }], 'base must be a ByteSource or an open LiveImage'],
    [buildNodesImage, [{ read() {} }, undefined], 'plan must be what planNodes returns'],
    [buildNodesImage, [{ read() {} }, { hosts: [] }, null], 'options must be an object, not null'],
    [
      buildNodesImage,
      [{ read() {} }, { hosts: [] }, { form: 'floppy' }],
      'form must be iso, minimal-iso or pxe, not floppy',
    ],
    [openImageBuilder, [null, {}, {}], 'image must be an object, not null'],
    [openImageBuilder, [{}, null, {}], 'settings must be an object, not null'],
    [openImageBuilder, [{}, {}, null], 'options must be an object, not null'],
    [hostData, [undefined], 'host must be an object, not undefined'],
    [hostData, [{ interfaces: 'eth0' }], 'host.interfaces must be an array, not a string'],
    [newStatusToken, [7], 'random must be a function, not a number'],
    [authTokenSecret, [undefined, new Date(0)], 'tokens must be an object, not undefined'],
    [authTokenSecret, [{}, 0], 'now must be a Date'],
    [pinnedIngressController, ['infra'], 'nodeLabels must be an object, not a string'],
    [shardedIngressController, [undefined], 'options must be an object, not undefined'],
    [haproxySketch, [7, []], 'domain must be a string, not a number'],
    [haproxySketch, ['apps.test', {}], 'backends must be an array, not an object'],
    [remoteHosts, [undefined, {}], 'plan.hosts must be an array, not undefined'],
    [remoteHosts, [{ hosts: [] }, null], 'facts must be an object, not null'],
    [remoteHosts, [{ hosts: [] }, {}, 'far-0'], 'known must be an array, not a string'],
    [adviseNodes, [{}, {}], 'plan must be what planHosts returns'],
    [adviseNodes, [undefined, {}], 'plan must be what planHosts returns'],
    [adviseNodes, [{ hosts: [] }, null], 'facts must be cluster facts'],
    [adviseNodes, [{ hosts: [] }, 'facts'], 'facts must be cluster facts'],
    [manifestFiles, [{}], 'advice must be an array, not an object'],
    [manifestFiles, [[{ manifests: [] }, null]], 'advice[1].manifests must be an array, not undefined'],
    [egressAssignableNodes, ['far-0', '192.0.2.1'], 'nodes must be an array, not a string'],
    [egressAssignableNodes, [[], 7], 'egressIP must be a string, not a number'],
    [factExpiries, [null], 'facts must be an object, not null'],
    [workerIgnition, [null], 'facts must be an object, not null'],
    [liveConfig, [null], 'plan must be an object, not null'],
    [liveConfig, [{}, null], 'options must be an object, not null'],
    [outlineBoots, [null, {}], 'plan must be an object, not null'],
    [outlineBoots, [{}, undefined], 'host must be an object, not undefined'],
    [simulateBoot, [undefined, { nics: {} }], 'plan must be what planHosts returns'],
    [simulateBoot, [{ hosts: [] }, { nics: null }], 'machine must have nics, from interface name to MAC address'],
    [simulateBoot, [{ hosts: [] }, undefined], 'machine must have nics, from interface name to MAC address'],
  ];

test.each(WRONG.map(([called, args, told]) => ({ name: called.name, called, args, told })))(
  'refuses $name: $told',
  async ({ called, args, told }) => {
    const call = async () => called(...(args as never[]));
    await expect(call()).rejects.toMatchObject({ message: told });
  },
);
