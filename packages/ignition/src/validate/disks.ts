import { utf8Length } from '@coreiso/peers/go';
import type { Place } from '../parse/place.ts';
import { FORMATS, RAID_LEVELS, STRIPED_LEVELS, within } from '../spec/fields.ts';
import type { Disk, Filesystem, Partition, Raid } from '../spec/generated/types.ts';
import { isZero } from '../spec/values.ts';
import type { Check, Findings } from './breaches.ts';
import { overlappingPartition } from './overlap.ts';
import { pathFault } from './path.ts';

export const checkDisk: Check<Disk> = ({ device, partitions = [] }, at, findings) => {
  if (!device) {
    findings.add('device-required', at, 'device');
    return;
  }
  const fault = pathFault(device);
  if (fault !== undefined) findings.add(fault, at, 'device');
  const numbers = partitions.map(({ number = 0 }) => (isZero(number) ? undefined : String(number)));
  const collision = firstRepeat(numbers);
  if (collision !== undefined) findings.add('partition-numbers-collide', at, 'partitions', collision);
  const overlap = overlappingPartition(partitions);
  if (overlap !== undefined) findings.add('partitions-overlap', at, 'partitions', overlap);
  const repeat = firstRepeat(partitions.map(({ label }) => label));
  if (repeat !== undefined) findings.add('partition-label-repeated', at, 'partitions', repeat);
};

function firstRepeat(values: readonly (string | undefined)[]): number | undefined {
  const seen = new Set<string>();
  const index = values.findIndex((value) => value !== undefined && (seen.has(value) || !seen.add(value)));
  return index === -1 ? undefined : index;
}

const GUID = /^[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}$/;

export const checkPartition: Check<Partition> = (partition, at, findings) => {
  const { guid, label, number = 0, shouldExist, sizeMiB, startMiB, typeGuid } = partition;
  const described = label !== undefined || typeGuid || guid || startMiB !== undefined || sizeMiB !== undefined;
  if (shouldExist === false && described) findings.add('partition-absent-with-options', at);
  if (isZero(number) && label === undefined) findings.add('partition-unidentified', at);
  if (label !== undefined && utf8Length(label) > 36) findings.add('partition-label-length', at, 'label');
  else if (label?.includes(':')) findings.add('partition-label-colon', at, 'label');
  if (guid && !GUID.test(guid)) findings.add('guid-malformed', at, 'guid');
  if (typeGuid && !GUID.test(typeGuid)) findings.add('guid-malformed', at, 'typeGuid');
};

export const checkRaid: Check<Raid> = ({ devices = [], level = '', spares = 0 }, at, findings) => {
  if (level === '' && findings.minor >= 3) findings.add('raid-level-required', at, 'level');
  else if (!RAID_LEVELS.includes(level)) findings.add('raid-level-unknown', at, 'level');
  else if (STRIPED_LEVELS.includes(level) && !isZero(spares)) findings.add('raid-spares', at, 'level');
  if (devices.length === 0) findings.add('raid-devices-required', at, 'devices');
  for (const [index, device] of devices.entries()) {
    const fault = pathFault(device);
    if (fault !== undefined) findings.add(fault, at, 'devices', index);
  }
};

/** The longest tag of a virtiofs mount, in bytes. */
const MAX_TAG = 36;

export const checkFilesystem: Check<Filesystem> = (filesystem, at, findings) => {
  const { device = '', format, label, path, options = [], uuid, wipeFilesystem } = filesystem;
  const virtual = format === 'virtiofs' && within(FORMATS['virtiofs']?.in, findings.minor);
  const pathProblem = path ? pathFault(path) : undefined;
  if (pathProblem !== undefined) findings.add(pathProblem, at, 'path');
  if (virtual) checkTag(device, at, findings);
  else {
    const fault = pathFault(device);
    if (fault !== undefined) findings.add(fault, at, 'device');
  }
  checkFormat(filesystem, at, findings);
  if (label) checkLabel(label, format, at, findings);
  if (!virtual) return;
  if (uuid) findings.add('virtiofs-uuid', at, 'uuid');
  if (wipeFilesystem) findings.add('virtiofs-wipe', at, 'wipeFilesystem');
  if (options.length > 0) findings.add('virtiofs-options', at, 'options');
};

function checkTag(tag: string, at: Place, findings: Findings): void {
  if (tag === '') findings.add('virtiofs-tag-required', at, 'device');
  else if (utf8Length(tag) > MAX_TAG) findings.add('virtiofs-tag-length', at, 'device');
}

function checkFormat(filesystem: Filesystem, at: Place, findings: Findings): void {
  const { format, label, mountOptions = [], options = [], path, uuid, wipeFilesystem } = filesystem;
  if (format) {
    const known = Object.hasOwn(FORMATS, format) && within(FORMATS[format]?.in, findings.minor);
    if (!known) findings.add('filesystem-format-unknown', at, 'format');
  } else if (path || label || uuid || wipeFilesystem || options.length > 0 || mountOptions.length > 0) {
    findings.add('filesystem-format-required', at, 'format');
  }
}

function checkLabel(label: string, format: string | undefined, at: Place, findings: Findings): void {
  if (!format) {
    findings.add('filesystem-label-without-format', at, 'label');
    return;
  }
  const known = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  if (known === undefined || !within(known.in, findings.minor) || utf8Length(label) <= known.label) return;
  if (known.label === 0) findings.add('virtiofs-label', at, 'label');
  else findings.addWith(`${known.label} characters when using ${format}`, 'filesystem-label-length', at, 'label');
}
