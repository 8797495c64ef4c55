import type { Path } from '@coreiso/diagnostics';
import { isInterfaceName } from '@coreiso/nmstate';
import type { Findings } from '../../text/config-findings.ts';
import type { CheckedHost } from '../host-fields.ts';
import { isHardware, misspeltNames, needsTable, readLinks } from '../network-view.ts';

/** Checks names in the table of interfaces. */
export function checkTableNames({ path, values }: CheckedHost, findings: Findings): void {
  const seen = new Set<string>();
  for (const [index, { name }] of values.interfaces.entries()) {
    const at = [...path, 'interfaces', index, 'name'];
    if (name === '') {
      if (values.networkConfig === undefined) continue;
      findings.own({
        code: 'nodes-config/interface-unnamed',
        message: 'an interface without a name cannot be found in the network state',
        path: at.slice(0, -1),
        help: 'Add the `name` that `networkConfig` uses for it.',
      });
      continue;
    }
    // With a network state upstream refuses repeated names itself.
    if (seen.has(name) && values.networkConfig === undefined) {
      const message = `${name} names two interfaces of this host`;
      findings.own({
        code: 'nodes-config/duplicate-interface-name',
        message,
        path: at,
        help: 'Give every interface a name of its own.',
      });
    }
    seen.add(name);
    if (!isInterfaceName(name)) {
      findings.own({
        code: 'nodes-config/interface-name',
        message: `\`${name}\` cannot be the name of an interface`,
        path: at,
        help: 'Use at most 15 characters, without blanks, colons and slashes.',
      });
    }
  }
}

/**
 * Reports hardware whose real name cannot be found: by the table, by its MAC address, or because the name is the real
 * one.
 */
export function checkMapping({ values }: CheckedHost, findings: Findings): void {
  const { networkConfig, interfaces } = values;
  if (networkConfig === undefined) return;
  const links = readLinks(networkConfig);
  const declared = new Set(links.map(({ name }) => name));
  const mapped = new Set(interfaces.map(({ name }) => name));
  const misspelt = misspeltNames(links, interfaces);
  const reported = new Set<string>();
  const report = (name: string, path: Path): void => {
    if (mapped.has(name) || !needsTable(name) || reported.has(name)) return;
    reported.add(name);
    const near = misspelt.get(name);
    findings.own({
      code: 'nodes-config/interface-unmapped',
      message: `mac-interface mapping for interface ${name} is missing and not a physical interface`,
      path,
      help:
        near === undefined
          ? `Add ${name} with its MAC address to \`interfaces\` of this host, or use a name from there.`
          : `Write ${near}, as in \`interfaces\`; or add ${name} with its MAC address there.`,
    });
  };
  for (const link of links) {
    if (link.state !== 'up') continue;
    if (link.name !== '' && isHardware(link)) report(link.name, [...link.path, 'name']);
    for (const { name, path } of link.below) {
      // Declared interfaces are checked by their own type; undeclared ones can only be hardware.
      if (!declared.has(name)) report(name, path);
    }
  }
}
