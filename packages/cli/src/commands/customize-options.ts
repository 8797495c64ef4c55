import type { Option } from '../frame/usage.ts';

const file = (name: string, help: string): Option => ({ name, value: 'path', repeatable: true, help });
const argument = (name: string, help: string, value = 'arg'): Option => ({ name, value, repeatable: true, help });

/** What both `customize` commands take. */
export const customizeOptions: readonly Option[] = [
  file('dest-ignition', 'Ignition config of the installed system'),
  { name: 'dest-device', value: 'path', help: 'Disk to install to, without asking' },
  {
    ...argument('dest-console', 'Console of the installed system, kernel and boot loader', 'spec'),
    check: async (spec) => {
      const { normalizeConsole } = await import('@coreiso/ignition/customize');
      const reading = normalizeConsole(spec);
      if ('reason' in reading) throw new Error(reading.reason);
    },
  },
  argument('dest-karg-append', 'Kernel argument to add to the installed system'),
  argument('dest-karg-delete', 'Kernel argument to remove from the installed system'),
  file('network-keyfile', 'NetworkManager keyfile, live and installed'),
  file('network-nmstate', 'Network state, live and installed'),
  file('ignition-ca', 'PEM certificates that Ignition trusts, live and installed'),
  file('pre-install', 'Script to run before the installation'),
  file('post-install', 'Script to run after the installation'),
  file('installer-config', 'Configuration of the installer'),
  file('live-ignition', 'Ignition config of the live system'),
];

/** What can be changed only where there are areas for it. */
export const liveKargOptions: readonly Option[] = [
  argument('live-karg-append', 'Kernel argument to add to the live system'),
  argument('live-karg-delete', 'Kernel argument to remove from the live system'),
  argument('live-karg-replace', 'Kernel argument of the live system to give another value', 'k=o=n'),
];
