import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { coreiso } from '../examples/cli/test/support.ts';
import { describeWith } from '../test/support/tools.ts';
import { SHOW_NETWORK } from './network.ts';
import { bootGuest, type Guest } from './support/guest.ts';
import { readInstallArguments } from './support/installer-options.ts';
import { makeLiveIso } from './support/live-iso.ts';
import { BOOT_PROGRAMS } from './support/programs.ts';
import type { Machine } from './support/qemu.ts';
import { Site, WORKER_ENDPOINT } from './support/site.ts';

const NODES_CONFIG = `
hosts:
- hostname: worker-a
  rootDeviceHints: { serialNumber: SECOND }
  interfaces:
  - { name: uplink0, macAddress: "52:54:00:aa:00:01" }
  - { name: uplink1, macAddress: "52:54:00:aa:00:02" }
  networkConfig:
    interfaces:
    - name: bond0
      type: bond
      state: up
      mac-address: "52:54:00:aa:00:01"
      link-aggregation: { mode: active-backup, port: [uplink0, uplink1] }
      ipv4: { enabled: true, dhcp: false, address: [{ ip: 198.51.100.21, prefix-length: 24 }] }
    routes: { config: [{ destination: 0.0.0.0/0, next-hop-address: 198.51.100.1, next-hop-interface: bond0 }] }
    dns-resolver: { config: { server: [198.51.100.53] } }
- hostname: worker-b
  rootDeviceHints: { deviceName: /dev/vda }
  interfaces:
  - { name: uplink0, macAddress: "52:54:00:AA:00:03" }
  networkConfig:
    interfaces:
    - name: uplink0
      type: ethernet
      state: up
      ipv4: { enabled: true, dhcp: false, address: [{ ip: 198.51.100.22, prefix-length: 24 }] }
    - name: uplink0.100
      type: vlan
      state: up
      vlan: { base-iface: uplink0, id: 100 }
      ipv4: { enabled: true, dhcp: false, address: [{ ip: 203.0.113.22, prefix-length: 24 }] }
    routes: { config: [{ destination: 0.0.0.0/0, next-hop-address: 198.51.100.1, next-hop-interface: uplink0 }] }
    dns-resolver: { config: { server: [198.51.100.53] } }
`;

describeWith(BOOT_PROGRAMS, 'an image from nodes image', () => {
  let folder = '';
  let site: Site;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'coreiso-nodes-'));
    site = await Site.open();
    await makeLiveIso(join(folder, 'base.iso'), 'xorriso');
    writeFileSync(join(folder, 'nodes-config.yaml'), NODES_CONFIG);
    writeFileSync(join(folder, 'cluster.json'), JSON.stringify(site.facts));
    const source = ['--base', 'base.iso', '--cluster', 'cluster.json', '--join', 'direct'];
    const { status, stderr } = await coreiso(['nodes', 'image', ...source, '-o', 'node.iso'], { cwd: folder });
    expect(stderr).not.toContain('error:');
    expect(status).toBe(0);
  });
  afterAll(async () => {
    await site[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A machine of the site with three empty disks of its own. */
  function newMachine(name: string, macs: readonly string[]): Machine {
    const disks = Object.entries({ first: 200, second: 150, third: 50 }).map(([disk, gigabytes]) => {
      const file = join(folder, `${name}-${disk}`);
      writeFileSync(file, '');
      truncateSync(file, gigabytes * 1e9);
      return { file, serial: disk.toUpperCase() };
    });
    const nics = macs.map((mac) => ({ mac, network: site.network }));
    return { firmware: 'bios', media: 'cd', memoryMiB: 8192, nics, disks };
  }

  async function bootNode(name: string, macs: readonly string[]): Promise<Guest> {
    return await bootGuest(name, join(folder, 'node.iso'), newMachine(name, macs), site.names);
  }

  test('gives the first host its bond, its name and the disk that its hint names', async () => {
    await using guest = await bootNode('host-a', ['52:54:00:aa:00:01', '52:54:00:aa:00:02']);
    const { argv, ignition } = await guest.installation();
    expect((await guest.output(SHOW_NETWORK)).split('\n')).toEqual(
      expect.arrayContaining([
        'ADDRESS bond0 198.51.100.21/24',
        'BOND Slave Interface: enp0s5',
        'BOND Slave Interface: enp0s6',
      ]),
    );
    expect(await guest.output('hostname')).toBe('worker-a\n');
    const { device, options } = readInstallArguments(argv);
    expect(device).toBe('/dev/vdb');
    expect(options).toHaveProperty('--copy-network');
    expect(ignition).toContain(WORKER_ENDPOINT);
    await guest.letInstall();
    expect(await guest.ends()).toBe('reboot');
    expect(guest.said('coreiso-join.service')).not.toContain('FAIL');
  });

  test('gives the second host its VLAN and its name, whatever the case of its MAC', async () => {
    await using guest = await bootNode('host-b', ['52:54:00:aa:00:03']);
    const { argv } = await guest.installation();
    expect(readInstallArguments(argv).device).toBe('/dev/vda');
    const network = (await guest.output(SHOW_NETWORK)).split('\n');
    expect(network).toContain('ADDRESS enp0s5 198.51.100.22/24');
    expect(network).toContainEqual(expect.stringMatching(/^ADDRESS enp0s5\.100(@enp0s5)? 203\.0\.113\.22\/24$/));
    expect(await guest.output('hostname')).toBe('worker-b\n');
  });

  test('leaves a machine that nobody listed with DHCP, and its disks alone', async () => {
    await using guest = await bootNode('unlisted', ['52:54:00:aa:00:99']);
    await guest.says(/no host of the plan has a MAC address of this machine/);
    expect(await guest.output(SHOW_NETWORK)).toMatch(/^ADDRESS enp0s5 198\.51\.100\.1\d\d\/24$/m);
    expect(await guest.output('ls /etc/NetworkManager/system-connections')).toBe('default.nmconnection\n');
    expect(guest.installations).toEqual([]);
  });
});
