// Disks of a host that match its root device hints. The client of the service compares them in the same way, but a wait does not learn
// from it that none is left.
import type { Host } from '@coreiso/nodes-config';
import { type KubeObject, memberOf, objectsOf, textOf } from '../objects.ts';

const GIGABYTE = 1_000_000_000;

/** Why no disk of an inventory matches; undefined if one does, or if the inventory has not arrived. */
export function hintProblem(inventory: unknown, hints: Host['rootDeviceHints']): string | undefined {
  const disks = objectsOf(inventory, 'disks').filter(
    (disk) => memberOf(disk, 'installation_eligibility', 'eligible') === true,
  );
  const given = Object.entries(hints);
  if (disks.length === 0 || given.length === 0 || disks.some((disk) => fits(disk, hints))) return undefined;
  const asked = given.map(([name, value]) => `${name} ${value}`).join(', ');
  return `no disk fits its root device hints (${asked}); it has ${disks.map(shown).join(', ')}`;
}

function fits(disk: KubeObject, hints: Host['rootDeviceHints']): boolean {
  const { deviceName, hctl, model = '', vendor = '', serialNumber, minSizeGigabytes = 0, wwn, rotational } = hints;
  const isEqual = (hint: string | undefined, name: string) => !hint || hint === textOf(disk, name);
  const size = memberOf(disk, 'size_bytes');
  return (
    (isEqual(deviceName, 'path') || isEqual(deviceName, 'by_path')) &&
    isEqual(hctl, 'hctl') &&
    textOf(disk, 'model').includes(model) &&
    textOf(disk, 'vendor').includes(vendor) &&
    isEqual(serialNumber, 'serial') &&
    (typeof size === 'number' ? Math.floor(size / GIGABYTE) : 0) >= minSizeGigabytes &&
    isEqual(wwn, 'wwn') &&
    (rotational === undefined || rotational === (textOf(disk, 'drive_type') === 'HDD'))
  );
}

/** A disk, with the properties that hints can name. */
function shown(disk: KubeObject): string {
  const [path, serial, wwn] = ['path', 'serial', 'wwn'].map((name) => textOf(disk, name));
  const size = memberOf(disk, 'size_bytes');
  const more = [
    ...(serial ? [`serialNumber ${serial}`] : []),
    ...(wwn ? [`wwn ${wwn}`] : []),
    ...(typeof size === 'number' ? [`${Math.floor(size / GIGABYTE)} GB`] : []),
  ];
  return more.length === 0 ? `${path}` : `${path} (${more.join(', ')})`;
}
