import type { Group } from '../frame/command.ts';
import { isoCommands } from './iso/iso.ts';
import { sampleCommand } from './sample.ts';
import { serveCommand } from './serve/command.ts';

/** All commands; the code behind them is loaded on use, and so are most tables: commands on images are the ones that take no time. */
export const commandTree: Group = {
  kind: 'group',
  name: 'coreiso',
  summary: 'Customise CoreOS live images (RHCOS, Fedora CoreOS)',
  commands: [
    { kind: 'group', name: 'iso', summary: 'Look into and change ISO images', commands: isoCommands },
    {
      kind: 'group',
      name: 'pxe',
      summary: 'What is booted over the network',
      commands: async () => (await import('./pxe.ts')).pxeCommands,
    },
    {
      kind: 'group',
      name: 'ignition',
      summary: 'Check and change Ignition configs',
      commands: async () => (await import('./ignition/ignition.ts')).ignitionCommands,
    },
    {
      kind: 'group',
      name: 'nmstate',
      summary: 'Network state to NetworkManager keyfiles',
      commands: async () => (await import('./nmstate/nmstate.ts')).nmstateCommands,
    },
    {
      kind: 'group',
      name: 'nodes',
      summary: 'From a nodes-config to an image that adds the nodes',
      commands: async () => (await import('./nodes/nodes.ts')).nodesCommands,
    },
    {
      kind: 'group',
      name: 'agent',
      summary: 'From an install config to a new cluster',
      commands: async () => (await import('./agent/agent.ts')).agentCommands,
    },
    {
      kind: 'group',
      name: 'base',
      summary: 'The images that others are made from',
      commands: async () => (await import('./base/base.ts')).baseCommands,
    },
    {
      kind: 'group',
      name: 'ztp',
      summary: 'From a site to the objects by which a hub installs it',
      commands: async () => (await import('./ztp/ztp.ts')).ztpCommands,
    },
    {
      kind: 'group',
      name: 'fleet',
      summary: 'Images of many hosts in an object store',
      commands: async () => (await import('./fleet/fleet.ts')).fleetCommands,
    },
    serveCommand,
    sampleCommand,
    {
      kind: 'group',
      name: 'pack',
      hidden: true,
      summary: 'For those who build live images',
      commands: async () => (await import('./pack.ts')).packCommands,
    },
    {
      kind: 'group',
      name: 'dev',
      hidden: true,
      summary: 'Look behind the other commands',
      commands: async () => (await import('./dev.ts')).devCommands,
    },
  ],
};
