import type { Findings } from '../../text/config-findings.ts';
import type { CheckedHost, HintValues } from '../host-fields.ts';

/** Reports hints that no disk can ever match. */
export function checkHints({ path, values: { rootDeviceHints: hints } }: CheckedHost, findings: Findings): void {
  if (hints === undefined) return;
  for (const { key, isHopeless, why, help } of HINT_RULES) {
    if (!isHopeless(hints)) continue;
    const message = `no disk can match this hint: ${why}`;
    findings.own({ code: 'nodes-config/hopeless-hint', message, path: [...path, 'rootDeviceHints', key], help });
  }
}

interface HintRule {
  readonly key: keyof HintValues;
  readonly isHopeless: (hints: HintValues) => boolean;
  readonly why: string;
  readonly help: string;
}

const HINT_RULES: readonly HintRule[] = [
  {
    key: 'deviceName',
    isHopeless: ({ deviceName }) => /^\/dev\/(?:disk\/?|disk\/by-path\/?)?$/.test(deviceName),
    why: 'it names a directory',
    help: 'Write /dev/NAME or /dev/disk/by-path/NAME.',
  },
  {
    key: 'deviceName',
    isHopeless: ({ deviceName }) =>
      /^\/dev\/(?:[shv]d[a-z]+\d+|(?:nvme\d+n\d+|mmcblk\d+)p\d+|disk\/by-path\/.+-part\d+)$/.test(deviceName),
    why: 'it names a partition',
    help: 'Name the whole disk, without the number at the end.',
  },
  {
    key: 'hctl',
    isHopeless: ({ hctl }) => hctl !== '' && !/^\d+:\d+:\d+:\d+$/.test(hctl),
    why: 'a SCSI address is four numbers',
    help: 'Write host:channel:target:lun, e.g. "0:0:0:0".',
  },
  {
    key: 'wwn',
    isHopeless: ({ wwn }) => /^\d{17,}$/.test(wwn),
    why: 'a world wide name is hexadecimal, and this is a decimal number',
    help: 'Write it in quotes, as "0x5000…".',
  },
  {
    key: 'minSizeGigabytes',
    isHopeless: ({ minSizeGigabytes }) => minSizeGigabytes > 1_000_000,
    why: 'the size is in gigabytes',
    help: 'Write gigabytes, not megabytes or bytes.',
  },
  {
    key: 'minSizeGigabytes',
    isHopeless: ({ minSizeGigabytes }) => minSizeGigabytes < 0,
    why: 'a size is not negative',
    help: 'Write the least size in gigabytes, or leave it out.',
  },
  {
    key: 'rotational',
    isHopeless: ({ rotational, deviceName }) => rotational === true && /^\/dev\/(?:nvme|mmcblk|pmem)/.test(deviceName),
    why: 'a disk of that name does not turn',
    help: 'Remove one of the two hints.',
  },
  ...(['serialNumber', 'wwn'] as const).map((key) => ({
    key,
    isHopeless: (hints: HintValues) => hints[key].trim() !== hints[key],
    why: 'it is compared as a whole, with its outer blanks',
    help: 'Remove the blanks.',
  })),
];
