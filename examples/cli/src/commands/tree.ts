import type { Group } from '../frame/command.ts';
import { ignitionCommands } from './ignition.ts';
import { isoCommands } from './iso.ts';
import { nmstateCommands } from './nmstate.ts';

/** coreiso's version, and of the coreos-installer that the drop-in commands imitate. */
export const VERSION = '0.1.0';

/** All commands; the code behind them is loaded on use. */
export function commandTree(): { readonly version: string; readonly group: Group } {
  const group: Group = {
    kind: 'group',
    name: 'coreiso',
    summary: 'Customise CoreOS live images (RHCOS, Fedora CoreOS)',
    commands: [
      { kind: 'group', name: 'iso', summary: 'Look into and change ISO images', commands: isoCommands },
      { kind: 'group', name: 'ignition', summary: 'Check and change Ignition configs', commands: ignitionCommands },
      {
        kind: 'group',
        name: 'nmstate',
        summary: 'Network state to NetworkManager keyfiles',
        commands: nmstateCommands,
      },
    ],
  };
  return { version: VERSION, group };
}
