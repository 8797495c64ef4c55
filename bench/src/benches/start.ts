import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench } from '../frame.ts';
import { coreiso, output, time } from '../programs.ts';

const start: Bench = {
  name: 'start',
  about: 'coreiso --help, against node -e 0',
  unit: 'ms',
  limits: { difference: 60 },
  async setUp() {
    return {
      peer: () => time(() => output(process.execPath, ['-e', '0'])),
      ours: () => time(() => output(process.execPath, [coreiso, '--help'])),
    };
  },
};

const validate: Bench = {
  name: 'command-validate',
  about: 'coreiso nodes validate of one host, against node -e 0',
  unit: 'ms',
  limits: { difference: 60 },
  async setUp({ directory }) {
    const path = join(directory, 'nodes-config.yaml');
    await writeFile(path, ONE_HOST);
    return {
      peer: () => time(() => output(process.execPath, ['-e', '0'])),
      ours: () => time(() => output(process.execPath, [coreiso, 'nodes', 'validate', path])),
    };
  },
};

const ONE_HOST = `hosts:
- hostname: worker-0
  interfaces: [{ name: eno1, macAddress: "52:54:00:00:00:01" }]
  networkConfig:
    interfaces:
    - name: eno1
      type: ethernet
      state: up
      ipv4: { enabled: true, dhcp: false, address: [{ ip: 192.0.2.10, prefix-length: 24 }] }
    routes: { config: [{ destination: 0.0.0.0/0, next-hop-address: 192.0.2.1, next-hop-interface: eno1 }] }
    dns-resolver: { config: { server: [192.0.2.53] } }
`;

/** The startup time of the command line. */
export const startBenches: readonly Bench[] = [start, validate];
