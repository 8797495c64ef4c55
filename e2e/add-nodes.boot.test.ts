import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { edit, openLiveImage } from '@coreiso/iso';
import { fileSource, writeCopy } from '@coreiso/iso/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { coreiso } from '../examples/cli/test/support.ts';
import { describeWith } from '../test/support/tools.ts';
import { makeLiveIso } from './support/live-iso.ts';
import { BOOT_PROGRAMS } from './support/programs.ts';
import { boot, type Machine, type Report } from './support/qemu.ts';

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

const WORKER_ENDPOINT = 'https://api-int.site.example.test:22623/config/worker';
const CLUSTER = {
  name: 'site',
  clusterId: '00000000-0000-4000-8000-000000000001',
  version: '4.20.3',
  platform: 'None',
  apiServerUrl: 'https://api.site.example.test:6443',
  pullSecret: '{"auths":{"registry.example.test":{"auth":"dXNlcjpwYXNz"}}}',
  releaseImage: `registry.example.test/release@sha256:${'5'.repeat(64)}`,
  nodes: [
    { name: 'm-0', architecture: 'amd64', master: true, addresses: [{ type: 'InternalIP', address: '198.51.100.5' }] },
  ],
  workerUserData: { ignition: { version: '3.2.0', config: { merge: [{ source: WORKER_ENDPOINT }] } } },
};

describeWith(BOOT_PROGRAMS, 'an image from nodes image', () => {
  let folder = '';
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'coreiso-nodes-'));
    await makeLiveIso(join(folder, 'base.iso'), 'xorriso');
    writeFileSync(join(folder, 'nodes-config.yaml'), NODES_CONFIG);
    writeFileSync(join(folder, 'cluster.json'), JSON.stringify(CLUSTER));
    for (const [name, gigabytes] of Object.entries({ first: 200, second: 150, third: 50 })) {
      writeFileSync(join(folder, name), '');
      truncateSync(join(folder, name), gigabytes * 1e9);
    }
    const argv = [
      'nodes',
      'image',
      '--base',
      'base.iso',
      '--cluster',
      'cluster.json',
      '--join',
      'direct',
      '-o',
      'node.iso',
    ];
    const { status, stderr } = await coreiso(argv, { cwd: folder });
    expect(stderr).not.toContain('error:');
    expect(status).toBe(0);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Boots it on a machine whose interfaces are called otherwise than in the config. */
  async function bootNode(name: string, kargs: readonly string[], machine: Partial<Machine>): Promise<Report> {
    const iso = join(folder, `${name}.iso`);
    await using source = await fileSource(join(folder, 'node.iso'));
    const { overlay } = await edit(await openLiveImage(source), { kargs: { append: ['guest.ignition', ...kargs] } });
    await writeCopy(overlay, iso);
    const disks = ['first', 'second', 'third'].map((disk) => ({
      file: join(folder, disk),
      serial: disk.toUpperCase(),
    }));
    return await boot(name, iso, { firmware: 'bios', media: 'cd', disks, ...machine });
  }

  test('gives the first host its bond, its name and the disk that its hint names', async () => {
    const nics = ['52:54:00:aa:00:01', '52:54:00:aa:00:02'];
    const report = await bootNode('host-a', ['guest.nics=enp1s0,enp2s0'], { nics });
    expect(report.facts('PROBLEM')).toEqual([]);
    expect(report.facts('COMPLAINT')).toEqual([]);
    expect(report.facts('ADDRESS')).toContainEqual('bond0 198.51.100.21/24');
    expect(report.facts('BOND')).toEqual(
      expect.arrayContaining([
        expect.stringContaining('Slave Interface: enp1s0'),
        expect.stringContaining('Slave Interface: enp2s0'),
      ]),
    );
    expect(report.facts('HOSTNAME')).toEqual(['worker-a']);
    expect(report.facts('RECORD')).toContainEqual(
      expect.stringMatching(/^install install --copy-network .*\/dev\/vdb$/),
    );
    expect(report.facts('RECORD').join('\n')).toContain(WORKER_ENDPOINT);
    expect(report.facts('RECORD')).toContainEqual('systemctl reboot');
  });

  test('gives the second host its VLAN and its name, whatever the case of its MAC', async () => {
    const report = await bootNode('host-b', ['guest.nics=ens3'], { nics: ['52:54:00:aa:00:03'] });
    expect(report.facts('PROBLEM')).toEqual([]);
    expect(report.facts('ADDRESS')).toEqual(
      expect.arrayContaining([
        'ens3 198.51.100.22/24',
        expect.stringMatching(/^ens3\.100(@ens3)? 203\.0\.113\.22\/24$/),
      ]),
    );
    expect(report.facts('HOSTNAME')).toEqual(['worker-b']);
    expect(report.facts('RECORD')).toContainEqual(
      expect.stringMatching(/^install install --copy-network .*\/dev\/vda$/),
    );
  });

  test('leaves a machine that nobody listed with DHCP, and its disks alone', async () => {
    const report = await bootNode('unlisted', [], { nics: ['52:54:00:aa:00:99'], dhcp: true });
    expect(report.facts('ADDRESS')).toContainEqual(expect.stringMatching(/^eth0 10\.0\.2\.\d+\/24$/));
    expect(report.facts('PROFILE')).toEqual([expect.stringMatching(/ default\.nmconnection$/)]);
    expect(report.facts('RECORD')).toEqual([]);
    expect(report.facts('LOG').join('\n')).toContain('no host of the plan has a MAC address of this machine');
  });

  test('stops before the disk when a check fails', async () => {
    const report = await bootNode('no-name', ['guest.nics=ens3', 'guest.no-name'], { nics: ['52:54:00:aa:00:03'] });
    expect(report.facts('LOG').join('\n')).toContain('FAIL: api-int.site.example.test has no address');
    expect(report.facts('LOG').join('\n')).toContain('nothing was written');
    expect(report.facts('RECORD')).toEqual([]);
  });
});
