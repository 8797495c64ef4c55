import type { Option } from '../frame/usage.ts';

const file = (name: string, help: string): Option => ({ name, value: 'path', repeatable: true, help });
const argument = (name: string, help: string, value = 'arg'): Option => ({ name, value, repeatable: true, help });

/** Options of both `customize` commands. */
export const customizeOptions: readonly Option[] = [
  file('dest-ignition', 'Ignition config of the installed system'),
  { name: 'dest-device', value: 'path', help: 'Disk to install to' },
  {
    ...argument('dest-console', 'Console of the installed system', 'spec'),
    check: async (spec) => {
      const { normalizeConsole } = await import('@coreiso/ignition/customize');
      const reading = normalizeConsole(spec);
      if ('reason' in reading) throw new Error(reading.reason);
    },
  },
  argument('dest-karg-append', 'Kernel argument to append (installed)'),
  argument('dest-karg-delete', 'Kernel argument to delete (installed)'),
  file('network-keyfile', 'NetworkManager keyfile (live and installed)'),
  file('network-nmstate', 'Network state (live and installed)'),
  file('ignition-ca', 'CA certificate for Ignition (live and installed)'),
  file('pre-install', 'Script to run before the installation'),
  file('post-install', 'Script to run after the installation'),
  file('installer-config', 'Config file of coreos-installer'),
  file('live-ignition', 'Ignition config of the live system'),
];

/** Options that need areas in the image. */
export const liveKargOptions: readonly Option[] = [
  argument('live-karg-append', 'Kernel argument to append (live)'),
  argument('live-karg-delete', 'Kernel argument to delete (live)'),
  argument('live-karg-replace', 'Kernel argument to give another value (live)', 'k=o=n'),
];
