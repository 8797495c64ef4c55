import type { OvnConfiguration, OvsDbGlobalConfig } from '../generated/types.ts';
import type { Findings } from '../table/state-findings.ts';
import type { PlannedInterfaces } from './planned-interfaces.ts';

const OVN_KEY = 'ovn-bridge-mappings';

/** Checks OVN mappings as nmstate does, although keyfiles do not contain them. */
export function checkOvn(
  { 'bridge-mappings': mappings = [] }: OvnConfiguration,
  interfaces: PlannedInterfaces,
  findings: Findings,
): void {
  const seen = new Map<string, number>();
  for (const { localnet } of mappings) seen.set(localnet, (seen.get(localnet) ?? 0) + 1);
  const told = new Set<string>();
  mappings.forEach(({ localnet }, index) => {
    if (seen.get(localnet) === 1 || told.has(localnet)) return;
    told.add(localnet);
    findings.at('bridge-mappings', index, 'localnet').invalid(`Found duplicate \`localnet\` key ${localnet}`);
  });
  const wanted = mappings.map((mapping, index) => ({ mapping, at: findings.at('bridge-mappings', index) }));
  for (const { mapping, at } of wanted) {
    if (mapping.state !== 'absent' && mapping.bridge === undefined) {
      at.invalid(`mapping for \`localnet\` key ${mapping.localnet} missing the \`bridge\` attribute`, 'Add `bridge`.');
    }
  }
  for (const { mapping, at } of wanted) {
    const { bridge, localnet, state } = mapping;
    if (state === 'absent' || bridge === undefined) continue;
    const found = interfaces.find(bridge, 'ovs-bridge');
    if (found === undefined) {
      at.at('bridge').invalid(
        `There is no OVS bridge holding name desired by OVN bridge ${bridge} localnet ${localnet}`,
        `Declare ${bridge} as an ovs-bridge.`,
      );
    } else if (found.merged.state === 'absent') {
      at.at('bridge').invalid(`The OVS bridge ${bridge} used for OVN localnet ${localnet} is marked as absent`);
    }
  }
}

export function checkGlobalOvsDb({ external_ids: ids }: OvsDbGlobalConfig, findings: Findings): void {
  if (ids === undefined || !Object.hasOwn(ids, OVN_KEY)) return;
  findings
    .at('external_ids', OVN_KEY)
    .invalid(
      'The `ovn-bridge-mappings` is reserved for OVN mapping, please use `ovn` section instead of `ovs-db` section',
    );
}

/** Checks alternative names as nmstate does, although they are not written: each must be unique and not the name of an interface. */
export function checkAlternativeNames(interfaces: PlannedInterfaces, findings: Findings): void {
  const owners = new Map<string, string>();
  for (const { apply, path } of interfaces.kernelInterfaces()) {
    (apply?.['alt-names'] ?? []).forEach(({ name, state }, index) => {
      const owner = owners.get(name);
      const at = findings.from([...path, 'alt-names', index, 'name']);
      if (state === 'absent') owners.delete(name);
      else if (owner !== undefined && owner !== apply?.name) {
        at.invalid(`Desired alt-name ${name} for interface ${apply?.name} is already used by interface ${owner}`);
      } else if (owner === undefined && interfaces.kernel(name) !== undefined) {
        at.invalid(`Desired alt-name ${name} for interface ${apply?.name} is already an interface name of other NIC`);
      } else if (apply !== undefined) owners.set(name, apply.name);
    });
  }
}
