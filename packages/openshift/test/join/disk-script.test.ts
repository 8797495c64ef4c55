import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { describeWith } from '../../../../test/support/tools.ts';
import { FakeRoot, SHELLS } from './fake-root.ts';

const COLUMNS = 'NAME KNAME PKNAME TYPE SIZE RO ROTA FSTYPE LABEL MOUNTPOINT HCTL MODEL VENDOR SERIAL WWN'.split(' ');

type Device = Partial<Record<string, string>> & { readonly NAME: string };

const SATA: Device = {
  NAME: '/dev/sda',
  SIZE: '480103981056',
  ROTA: '0',
  HCTL: '2:0:0:0',
  MODEL: 'MICRON 5300 MTFD',
  VENDOR: 'ATA',
  SERIAL: '0012',
  WWN: '0x500a075125b1c2d3',
};
const SPINNING: Device = {
  NAME: '/dev/sdb',
  SIZE: '2000398934016',
  ROTA: '1',
  HCTL: '3:0:0:0',
  MODEL: 'ST2000NM0033',
  VENDOR: 'SEAGATE',
  SERIAL: 'Z1X2',
  WWN: '0x5000c5004a1b2c3d5e6f708192a3b4c5',
};
const NVME: Device = {
  NAME: '/dev/nvme0n1',
  SIZE: '960197124096',
  MODEL: 'SAMSUNG MZQL2960',
  SERIAL: 'S64',
  WWN: 'eui.36344630',
};
const LIVE_USB: Device = { NAME: '/dev/sdc', SIZE: '32000000000', FSTYPE: 'iso9660', MODEL: 'Flash Disk' };
const OPTICAL: Device = { NAME: '/dev/sr0', TYPE: 'rom', SIZE: '1073741312', FSTYPE: 'iso9660' };
const ALL = [SATA, SPINNING, NVME, LIVE_USB, OPTICAL];

function lsblk(devices: readonly Device[]): string {
  const rows = devices.map((device) => {
    const row: Device = { KNAME: device.NAME, TYPE: 'disk', RO: '0', ROTA: '0', ...device };
    return COLUMNS.map((column) => `${column}="${row[column] ?? ''}"`).join(' ');
  });
  return `cat <<'END'\n${rows.join('\n')}\nEND`;
}

for (const shell of SHELLS) {
  describeWith([shell[0]], `under ${shell.join(' ')}`, () => {
    const choose = (devices: readonly Device[], hints: readonly string[], prepare?: (root: FakeRoot) => void) => {
      const input = hints.map((hint) => `${hint}\n`).join('');
      return ask(devices, ['choose'], prepare, input);
    };
    const ask = (
      devices: readonly Device[],
      args: readonly string[],
      prepare?: (root: FakeRoot) => void,
      input = '',
    ) => {
      using root = new FakeRoot();
      root.stub('lsblk', lsblk(devices));
      prepare?.(root);
      return root.run('coreiso-disk', shell, { input, args });
    };
    const alone = ({ NAME, SIZE }: Device): string => `${NAME} ${SIZE} disk ${NAME}\n`;

    test.each([
      ['deviceName /dev/sdb', SPINNING],
      ['hctl 2:0:0:0', SATA],
      ['model 5300 MTFD', SATA],
      ['model SAMSUNG', NVME],
      ['model SAMSUNG_MZQL', NVME],
      ['model MICRON_5300_MTFD', SATA],
      ['model MICRON 5300_MTFD ', SATA],
      ['vendor SEAG', SPINNING],
      ['serialNumber 0012', SATA],
      ['minSizeGigabytes 2000', SPINNING],
      ['wwn 0x500a075125b1c2d3', SATA],
      ['wwn 0x5000c5004a1b2c3d', SPINNING],
      ['wwn eui.36344630', NVME],
      ['wwnWithExtension 0x5000c5004a1b2c3d5e6f708192a3b4c5', SPINNING],
      ['wwnVendorExtension 0x5e6f708192a3b4c5', SPINNING],
      ['rotational true', SPINNING],
    ])('%s chooses one disk', (hint, device) => {
      expect(choose(ALL, [hint])).toEqual({ status: 0, output: alone(device) });
    });

    test('requires all hints to match', () => {
      const hints = ['rotational false', 'minSizeGigabytes 900'];
      expect(choose(ALL, hints).output).toBe(alone(NVME));
      expect(choose(ALL, [...hints, 'vendor ATA'])).toEqual({
        status: 1,
        output: 'no disk fits the root device hints\n',
      });
    });

    test.each([
      ['a serial number given in part', 'serialNumber 001'],
      ['a size one gigabyte too large', 'minSizeGigabytes 2001'],
      ['another letter case of a model', 'model samsung'],
      ['a pattern', 'model *'],
      ['a device that is not there', 'deviceName /dev/sdz'],
      ['the medium that the live system runs from', 'deviceName /dev/sdc'],
      ['an optical drive', 'deviceName /dev/sr0'],
    ])('chooses no disk with %s', (_, hint) => {
      expect(choose(ALL, [hint])).toEqual({ status: 1, output: 'no disk fits the root device hints\n' });
    });

    test('guesses none of several disks', () => {
      expect(choose(ALL, ['rotational false'])).toEqual({
        status: 1,
        output: 'several disks fit the root device hints: /dev/sda /dev/nvme0n1; add a hint\n',
      });
    });

    test('takes the only disk without hints, and none of several', () => {
      expect(choose([SATA, LIVE_USB, OPTICAL], []).output).toBe(alone(SATA));
      expect(choose(ALL, []).status).toBe(1);
    });

    test.each([
      ['read-only', { RO: '1' }],
      ['without a medium', { SIZE: '0' }],
      ['in memory', { NAME: '/dev/zram0' }],
      ['mounted', { MOUNTPOINT: '/run/media/iso' }],
    ])('skips a disk %s', (_, difference) => {
      expect(choose([{ ...SATA, ...difference }, NVME], []).output).toBe(alone(NVME));
    });

    test('skips a disk with a mounted partition', () => {
      const partition = {
        NAME: '/dev/sda1',
        PKNAME: '/dev/sda',
        TYPE: 'part',
        SIZE: '1000',
        MOUNTPOINT: '/run/media/iso',
      };
      expect(choose([SATA, partition, NVME], []).output).toBe(alone(NVME));
    });

    test('follows a link by path', () => {
      const path = '/dev/disk/by-path/pci-0000:00:17.0-ata-1';
      const link = (root: FakeRoot): void => {
        root.write('/dev/sdb', '');
        root.write('/dev/disk/by-path/other', '');
        symlinkSync('../../sdb', join(root.path, path));
      };
      expect(choose(ALL, [`deviceName ${path}`], link).output).toBe(alone(SPINNING));
    });

    test('takes the paths of a multipath device for one disk', () => {
      const path = { FSTYPE: 'mpath_member', SIZE: '107374182400', SERIAL: '3600', MODEL: 'LUN' };
      const mapper = { NAME: '/dev/mapper/mpatha', KNAME: '/dev/dm-0', TYPE: 'mpath', SIZE: '107374182400' };
      const devices = [
        { ...path, NAME: '/dev/sda' },
        { ...mapper, PKNAME: '/dev/sda' },
        { ...path, NAME: '/dev/sdb' },
        { ...mapper, PKNAME: '/dev/sdb' },
        NVME,
      ];
      const held = (root: FakeRoot): void => {
        for (const name of ['sda', 'sdb']) {
          root.write(`/sys/class/block/${name}/holders/dm-0`, '');
          root.write(`/sys/class/block/dm-0/slaves/${name}`, '');
        }
      };
      expect(choose(devices, ['serialNumber 3600'], held).output).toBe(
        '/dev/mapper/mpatha 107374182400 mpath /dev/sda /dev/sdb\n',
      );
      expect(choose(devices, ['deviceName /dev/sdb'], held).output).toBe(
        '/dev/mapper/mpatha 107374182400 mpath /dev/sda /dev/sdb\n',
      );
    });

    test.each([['a hint nobody knows', 'colour red', 'there is no root device hint colour\n']])(
      'refuses %s',
      (_, hint, output) => {
        expect(choose(ALL, [hint])).toEqual({ status: 1, output });
      },
    );

    test('reports a failure of lsblk', () => {
      expect(choose([], [], (root) => root.stub('lsblk', 'exit 3'))).toEqual({
        status: 1,
        output: 'lsblk shows no disks\n',
      });
    });

    test('ignores a complaint of lsblk that comes with an answer', () => {
      const complain = (root: FakeRoot): void =>
        root.stub('lsblk', `echo 'lsblk: sdx: unknown device' >&2\n${lsblk([SATA])}\nexit 64`);
      expect(choose([], [], complain)).toEqual({ status: 0, output: alone(SATA) });
    });

    describe('skips disks below a mounted device:', () => {
      const part = (name: string, disk: string): Device => ({
        NAME: `/dev/${name}`,
        PKNAME: `/dev/${disk}`,
        TYPE: 'part',
        SIZE: '1000',
      });
      const made = (name: string, kname: string, type: string, more: Partial<Device> = {}): Device => ({
        NAME: name,
        KNAME: `/dev/${kname}`,
        TYPE: type,
        SIZE: '1000',
        ...more,
      });
      test.each<[string, readonly Device[], Record<string, readonly string[]>]>([
        [
          'LVM on LUKS on a partition',
          [
            part('sda3', 'sda'),
            made('/dev/mapper/luks', 'dm-0', 'crypt', { PKNAME: '/dev/sda3' }),
            made('/dev/mapper/vg-data', 'dm-1', 'lvm', { PKNAME: '/dev/dm-0', MOUNTPOINT: '/var/data' }),
          ],
          { 'dm-0': ['sda3'], 'dm-1': ['dm-0'] },
        ],
        [
          'a RAID of two disks, of which lsblk shows one',
          [
            part('sdb1', 'sdb'),
            part('sda1', 'sda'),
            made('/dev/md0', 'md0', 'raid1', { PKNAME: '/dev/sdb1', MOUNTPOINT: '/x' }),
          ],
          { md0: ['sda1', 'sdb1'] },
        ],
        [
          'a partition of a multipath device',
          [
            made('/dev/mapper/mpatha', 'dm-0', 'mpath', { PKNAME: '/dev/sdb' }),
            made('/dev/mapper/mpatha1', 'dm-1', 'part', { PKNAME: '/dev/dm-0', MOUNTPOINT: '/x' }),
          ],
          { 'dm-0': ['sda', 'sdb'], 'dm-1': ['dm-0'] },
        ],
        ['swap space', [{ ...part('sda2', 'sda'), MOUNTPOINT: '[SWAP]' }], {}],
      ])('%s', (_, above, slaves) => {
        const { output } = choose([SATA, SPINNING, NVME, ...above], ['deviceName /dev/sda'], (root) => {
          for (const [name, list] of Object.entries(slaves)) {
            for (const slave of list) root.write(`/sys/class/block/${name}/slaves/${slave}`, '');
          }
        });
        expect(output).toBe('no disk fits the root device hints\n');
      });
    });

    describe('file systems by label', () => {
      const boot = (name: string, disk: string): Device => ({
        NAME: name,
        KNAME: name,
        PKNAME: disk,
        TYPE: 'part',
        SIZE: '1000',
        LABEL: 'boot',
      });
      const devices = [SATA, { ...boot('/dev/sda2', '/dev/sda'), LABEL: 'boot2' }, boot('/dev/sda3', '/dev/sda'), NVME];

      test('are listed with their disks', () => {
        expect(ask([...devices, boot('/dev/nvme0n1p3', '/dev/nvme0n1')], ['labelled', 'boot']).output).toBe(
          '/dev/sda3 /dev/sda\n/dev/nvme0n1p3 /dev/nvme0n1\n',
        );
        expect(ask(devices, ['labelled', 'root'])).toEqual({ status: 0, output: '' });
      });

      test('are found on one disk, with the partition number', () => {
        const both = [...devices, boot('/dev/nvme0n1p3', '/dev/nvme0n1')];
        const number = (root: FakeRoot): void => root.write('/sys/class/block/nvme0n1p3/partition', '3\n');
        expect(ask(both, ['part', '/dev/nvme0n1', 'boot'], number).output).toBe('/dev/nvme0n1p3 3\n');
        expect(ask(both, ['part', '/dev/sda', 'boot'], number).output).toBe('/dev/sda3 3\n');
        expect(ask(both, ['part', '/dev/sda', 'EFI-SYSTEM'], number)).toEqual({ status: 1, output: '' });
      });

      test('are found on a multipath device by its partitions', () => {
        const mapper: Device = {
          NAME: '/dev/mapper/mpatha',
          KNAME: '/dev/dm-0',
          PKNAME: '/dev/sda',
          TYPE: 'mpath',
          SIZE: '1',
        };
        const partition = { ...boot('/dev/mapper/mpatha3', '/dev/dm-0'), KNAME: '/dev/dm-3' };
        expect(ask([SATA, mapper, partition], ['part', '/dev/mapper/mpatha', 'boot']).output).toBe(
          '/dev/mapper/mpatha3 3\n',
        );
        expect(ask([SATA, mapper, partition], ['labelled', 'boot']).output).toBe('/dev/mapper/mpatha3 /dev/sda\n');
      });
    });
  });
}
