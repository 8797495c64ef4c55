import type { PlannedInterfaces } from './planned-interfaces.ts';
import type { Report } from './report.ts';

/** Alternative names are written nowhere, but nmstate checks that each is claimed once and is no interface's name. */
export function checkAlternativeNames(interfaces: PlannedInterfaces, report: Report): void {
  const owners = new Map<string, string>();
  for (const { apply, path } of interfaces.kernelInterfaces()) {
    (apply?.['alt-names'] ?? []).forEach(({ name, state }, index) => {
      const owner = owners.get(name);
      const at = report.from([...path, 'alt-names', index, 'name']);
      if (state === 'absent') owners.delete(name);
      else if (owner !== undefined && owner !== apply?.name) {
        at.invalid(`Desired alt-name ${name} for interface ${apply?.name} is already used by interface ${owner}`);
      } else if (owner === undefined && interfaces.kernel(name) !== undefined) {
        at.invalid(`Desired alt-name ${name} for interface ${apply?.name} is already an interface name of other NIC`);
      } else if (apply !== undefined) owners.set(name, apply.name);
    });
  }
}
