import type { Group } from '../frame/command.ts';
import { downloadCommand, listStreamCommand } from './download.ts';
import { isoCommands } from './iso/iso.ts';
import { languageCommands } from './language/language.ts';
import { redactCommand } from './redact.ts';
import { sampleCommand } from './sample.ts';
import { serveCommand } from './serve/command.ts';
import { shellCommands } from './shell/shell.ts';

/** All commands. Their code is loaded on use, and so are most tables; the tables of image commands load fast. */
export const commandTree: Group = {
  kind: 'group',
  name: 'coreiso',
  summary: 'Customise CoreOS live images (RHCOS, Fedora CoreOS)',
  examples: [
    'coreiso sample-iso live.iso    # a small image to try things',
    'coreiso iso customize --dest-device /dev/sda -o worker.iso live.iso',
    'coreiso nodes image --live nodes-config.yaml',
  ],
  options: [
    {
      name: 'version',
      short: 'V',
      help: 'Print version; with --verbose, also those of the tools it was compared with',
    },
  ],
  about: 'Documentation: https://github.com/coreiso/coreiso#readme',
  commands: [
    { kind: 'group', name: 'iso', summary: 'Inspect and customise ISO images', commands: isoCommands },
    {
      kind: 'group',
      name: 'pxe',
      standsIn: true,
      summary: 'Network-boot (PXE) files',
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
      summary: 'Turn network state into NetworkManager keyfiles',
      commands: async () => (await import('./nmstate/nmstate.ts')).nmstateCommands,
    },
    {
      kind: 'group',
      name: 'nodes',
      summary: 'Add nodes to a cluster: check, plan, build and serve images',
      commands: async () => (await import('./nodes/nodes.ts')).nodesCommands,
    },
    {
      kind: 'group',
      name: 'agent',
      summary: 'Install a new cluster with the agent-based installer',
      commands: async () => (await import('./agent/agent.ts')).agentCommands,
    },
    {
      kind: 'group',
      name: 'base',
      summary: 'Manage base images',
      commands: async () => (await import('./base/base.ts')).baseCommands,
    },
    {
      kind: 'group',
      name: 'ztp',
      summary: 'Render hub manifests for a site',
      commands: async () => (await import('./ztp/ztp.ts')).ztpCommands,
    },
    {
      kind: 'group',
      name: 'fleet',
      summary: 'Manage images in an object store',
      commands: async () => (await import('./fleet/fleet.ts')).fleetCommands,
    },
    downloadCommand,
    listStreamCommand,
    serveCommand,
    redactCommand,
    sampleCommand,
    ...languageCommands,
    ...shellCommands(() => commandTree),
    {
      kind: 'group',
      name: 'pack',
      standsIn: true,
      hidden: true,
      summary: 'Commands for builders of live images',
      commands: async () => (await import('./pack.ts')).packCommands,
    },
    {
      kind: 'group',
      name: 'dev',
      standsIn: true,
      hidden: true,
      summary: 'Show low-level details',
      commands: async () => (await import('./dev.ts')).devCommands,
    },
  ],
};
