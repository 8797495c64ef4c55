import type { Group } from '../frame/command.ts';
import { agentCommands } from './agent/agent.ts';
import { baseCommands } from './base/base.ts';
import { devCommands } from './dev.ts';
import { ignitionCommands } from './ignition/ignition.ts';
import { isoCommands } from './iso/iso.ts';
import { nmstateCommands } from './nmstate/nmstate.ts';
import { nodesCommands } from './nodes/nodes.ts';
import { packCommands } from './pack.ts';
import { pxeCommands } from './pxe.ts';
import { sampleCommand } from './sample.ts';
import { serveCommand } from './serve/command.ts';

/** All commands; the code behind them is loaded on use. */
export const commandTree: Group = {
  kind: 'group',
  name: 'coreiso',
  summary: 'Customise CoreOS live images (RHCOS, Fedora CoreOS)',
  commands: [
    { kind: 'group', name: 'iso', summary: 'Look into and change ISO images', commands: isoCommands },
    { kind: 'group', name: 'pxe', summary: 'What is booted over the network', commands: pxeCommands },
    { kind: 'group', name: 'ignition', summary: 'Check and change Ignition configs', commands: ignitionCommands },
    {
      kind: 'group',
      name: 'nmstate',
      summary: 'Network state to NetworkManager keyfiles',
      commands: nmstateCommands,
    },
    {
      kind: 'group',
      name: 'nodes',
      summary: 'From a nodes-config to an image that adds the nodes',
      commands: nodesCommands,
    },
    { kind: 'group', name: 'agent', summary: 'From an install config to a new cluster', commands: agentCommands },
    { kind: 'group', name: 'base', summary: 'The images that others are made from', commands: baseCommands },
    serveCommand,
    sampleCommand,
    { kind: 'group', name: 'pack', hidden: true, summary: 'For those who build live images', commands: packCommands },
    { kind: 'group', name: 'dev', hidden: true, summary: 'Look behind the other commands', commands: devCommands },
  ],
};
