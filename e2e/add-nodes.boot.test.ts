import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { edit, openLiveImage } from '@coreiso/iso';
import { fileSource, writeCopy } from '@coreiso/iso/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { coreiso } from '../packages/cli/test/support.ts';
import { describeWith } from '../test/support/tools.ts';
import { SHOW_NETWORK } from './network.ts';
import { bootGuest, type Guest, newVariables } from './support/guest.ts';
import { INSTALLED_DISK_BOOTS } from './support/initrd.ts';
import { readInstallArguments } from './support/installer-options.ts';
import { makeLiveIso } from './support/live-iso.ts';
import { BOOT_PROGRAMS } from './support/programs.ts';
import type { Machine, Nic } from './support/qemu.ts';
import { Site, WORKER_CONFIG, WORKER_ENDPOINT } from './support/site.ts';

/** The first host's bond has its own address, and only the second of its cards is listed. */
const NODES_CONFIG = `
hosts:
- hostname: worker-a
  rootDeviceHints: { serialNumber: SECOND }
  interfaces:
  - { name: uplink1, macAddress: "52:54:00:aa:00:02" }
  networkConfig:
    interfaces:
    - name: bond0
      type: bond
      state: up
      mac-address: "02:00:00:00:00:0a"
      link-aggregation: { mode: active-backup, port: [enp0s5, uplink1] }
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

/** Left-overs of another system: on the first disk a volume group and an array, on the second a file system called boot. */
const LEAVE_SOMETHING_BEHIND = `
set -e
printf 'label: gpt\\nsize=1G\\nsize=1G\\nsize=1G\\n' | sfdisk --quiet /dev/vda
udevadm settle
mkdir -p /run/lvm-as-it-comes
export LVM_SYSTEM_DIR=/run/lvm-as-it-comes
vgcreate --yes leftover /dev/vda1
lvcreate --yes --name data --size 100M leftover
mdadm --create /dev/md/leftover --run --level=1 --raid-devices=2 --assume-clean /dev/vda2 /dev/vda3
mkfs.ext4 -q -L boot /dev/vdb
sync
poweroff --force`;

/** Lets the image expire, and makes it valid again. */
const EXPIRE = `
systemctl stop coreiso-join
cp /etc/coreiso/join /run/join
sed -i 's/^expires .*/expires 1 1970-01-01T00:00:01Z/' /etc/coreiso/join
systemctl start coreiso-join`;
const EXPIRE_LATER = 'cp /run/join /etc/coreiso/join && systemctl restart coreiso-join';

/** Waits until the unit has failed permanently; a unit that is retried never has. */
const FAILED = `
until systemctl is-failed --quiet coreiso-join; do sleep 0.2; done
systemctl show --property=SubState --value coreiso-join`;

/** Skips the pause of one minute between tries. */
const SHORT_PAUSE = { 'etc/systemd/system/coreiso-join.service.d/pause.conf': '[Service]\nRestartSec=10\n' };

/** The warnings of this systemd about our units, except those about missing units of the live system. */
const VERIFY_UNITS = `
systemd-analyze verify --man=no /etc/systemd/system/coreiso-*.service /etc/systemd/system/coreiso-*.socket 2>&1 | grep coreiso
true`;

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

  /** A machine of the site with three empty disks. */
  function newMachine(name: string, macs: readonly string[], firmware: 'bios' | 'uefi' = 'bios'): Machine {
    const disks = Object.entries({ first: 200, second: 150, third: 50 }).map(([disk, gigabytes]) => {
      const file = join(folder, `${name}-${disk}`);
      writeFileSync(file, '');
      truncateSync(file, gigabytes * 1e9);
      return { file, serial: disk.toUpperCase() };
    });
    return { firmware, media: 'cd', memoryMiB: 8192, nics: cards(macs), disks };
  }

  function cards(macs: readonly string[]): Nic[] {
    return macs.map((mac) => ({ mac, network: site.network }));
  }

  async function bootNode(name: string, machine: Machine, iso = 'node.iso'): Promise<Guest> {
    return await bootGuest(name, join(folder, iso), machine, { ...site.names, ...SHORT_PAUSE });
  }

  async function imageWith(argument: string): Promise<string> {
    const name = `${argument.replaceAll(/\W+/g, '-')}.iso`;
    await using source = await fileSource(join(folder, 'node.iso'));
    const { overlay } = await edit(await openLiveImage(source), { kargs: { append: [argument] } });
    await writeCopy(overlay, join(folder, name));
    return name;
  }

  test('installs a host once, whatever the name of its bond and even if its medium stays', async () => {
    const variables = join(folder, 'host-a.variables');
    newVariables(variables);
    const machine = { ...newMachine('host-a', ['52:54:00:aa:00:01', '52:54:00:aa:00:02'], 'uefi'), variables };
    {
      await using guest = await bootNode('host-a', machine);
      const { argv, ignition } = await guest.installation();
      expect((await guest.output(SHOW_NETWORK)).split('\n')).toEqual(
        expect.arrayContaining([
          'ADDRESS bond0 198.51.100.21/24',
          'BOND Slave Interface: enp0s5',
          'BOND Slave Interface: enp0s6',
        ]),
      );
      expect(await guest.output('cat /sys/class/net/enp0s6/address')).toBe('02:00:00:00:00:0a\n');
      expect(await guest.output('hostname')).toBe('worker-a\n');
      const { device, options } = readInstallArguments(argv);
      expect(device).toBe('/dev/vdb');
      expect(options).toMatchObject({ '--offline': [''], '--copy-network': [''] });
      expect(ignition).toContain(WORKER_ENDPOINT);
      await guest.letInstall();
      expect(await guest.ends()).toBe('reboot');
      expect(guest.said('coreiso-join.service')).not.toContain('FAIL');
    }
    {
      await using guest = await bootNode('host-a-medium-left-in', machine);
      await guest.shows(new RegExp(INSTALLED_DISK_BOOTS));
      expect(await guest.ends()).toBe('off');
    }
    // Firmware that starts the medium first, in spite of the boot order.
    const stubborn: Machine = { ...machine, firmware: 'bios' };
    {
      await using guest = await bootNode('host-a-medium-first', stubborn);
      await guest.says(/nothing was written/);
      expect(guest.console).toContain('is not installed again');
      expect(guest.console).toContain('remove the medium');
      expect(guest.console).toContain('coreiso.reinstall=1');
      expect(await guest.output('systemctl show --property=SubState --value coreiso-join')).toBe('failed\n');
      expect(guest.installations).toEqual([]);
    }
    {
      await using guest = await bootNode('host-a-once-more', stubborn, await imageWith('coreiso.reinstall=1'));
      const { argv } = await guest.installation();
      expect(readInstallArguments(argv).device).toBe('/dev/vdb');
      // From now on the disk has changed: a failure is for a person to look at.
      await guest.output('mkdir -p /etc/guest && touch /etc/guest/installer-fails');
      await guest.letInstall();
      await guest.says(/coreiso-join\.service: Failed with result/);
      expect(guest.console).toContain('the installation to /dev/vdb failed; this machine stays in the live system');
      const outcome = await guest.output('systemctl show --property=SubState,ExecMainStatus,NRestarts coreiso-join');
      expect(outcome.trim().split('\n').sort()).toEqual(['ExecMainStatus=4', 'NRestarts=0', 'SubState=failed']);
      expect(guest.installations.length).toBe(1);
    }
  });

  test('leaves an unlisted machine alone; a listed one waits for its cluster, and installs over left-overs until the image expires', async () => {
    const machine = newMachine('host-b', ['52:54:00:aa:00:99']);
    {
      await using guest = await bootNode('unlisted', machine);
      await guest.says(/coreiso-join: no host of the plan has a MAC address of this machine/);
      expect(await guest.output(SHOW_NETWORK)).toMatch(/^ADDRESS enp0s5 198\.51\.100\.1\d\d\/24$/m);
      expect(await guest.output('ls /etc/NetworkManager/system-connections')).toBe('default.nmconnection\n');
      expect(guest.installations).toEqual([]);
      expect(await guest.output(VERIFY_UNITS)).toBe('');
      void guest.run(LEAVE_SOMETHING_BEHIND).catch(() => undefined);
      expect(await guest.ends()).toBe('off');
    }
    site.answer = { status: 404, body: '' };
    await using guest = await bootNode('host-b', { ...machine, nics: cards(['52:54:00:aa:00:03']) });
    await guest.says(/FAIL: .*file systems called boot.*\/dev\/vdb/);
    await guest.says(/FAIL: .*HTTP status 404/);
    await guest.says(/nothing was written/);
    const network = (await guest.output(SHOW_NETWORK)).split('\n');
    expect(network).toContain('ADDRESS enp0s5 198.51.100.22/24');
    expect(network).toContainEqual(expect.stringMatching(/^ADDRESS enp0s5\.100(@enp0s5)? 203\.0\.113\.22\/24$/));
    expect(await guest.output('hostname')).toBe('worker-b\n');
    const leftovers = await guest.output('lsblk --noheadings --output TYPE,FSTYPE /dev/vda');
    expect(leftovers).toMatch(/LVM2_member\s+part +linux_raid_member/);
    expect(leftovers).not.toMatch(/^(lvm|raid)/m);
    await guest.output('wipefs --all /dev/vdb');
    // The cluster starts: first no server answers, then one with a page that is not a config.
    site.answer = undefined;
    await site.asked(1);
    site.answer = { status: 200, body: '<html></html>' };
    await guest.says(/FAIL: .*something that is no Ignition config/);
    expect(guest.installations).toEqual([]);
    await guest.output(EXPIRE);
    await guest.says(/the image has expired on 1970-01-01T00:00:01Z: build a new one/);
    expect(await guest.output(FAILED)).toBe('failed\n');
    expect(guest.installations).toEqual([]);
    site.answer = WORKER_CONFIG;
    await guest.output(EXPIRE_LATER);
    const { argv } = await guest.installation();
    expect(readInstallArguments(argv).device).toBe('/dev/vda');
    expect(site.requests.at(-1)?.accept).toContain('application/vnd.coreos.ignition+json;version=3.2.0');
    await guest.letInstall();
    expect(await guest.ends()).toBe('reboot');
  });
});
