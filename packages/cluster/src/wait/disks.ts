// Which disks of a host its root device hints leave: the client of the service compares them in this way, and tells no one who
// waits elsewhere that none is left.
import type { Host } from '@coreiso/nodes-config';
import { type KubeObject, memberOf, objectsOf, textOf } from '../objects.ts';

const GIGABYTE = 1_000_000_000;

/** Why no disk of an inventory fits; undefined where one does, or where the inventory has not come. */
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

/** A disk by what hints may ask for. */
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
