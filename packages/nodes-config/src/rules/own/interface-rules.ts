import { isInterfaceName } from '@coreiso/nmstate';
import type { Findings } from '../../text/findings.ts';
import type { CheckedHost } from '../host-fields.ts';
import { type InterfaceView, type Mention, readInterfaces } from '../network-view.ts';

/** Names in the table of interfaces. */
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
      const message = `${name} stands for two interfaces of this host`;
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

/** systemd's predictable names, as the service knows them. */
const PREDICTABLE = /^en[PsvxXbucaipod]/;

/** Hardware that must be found under its real name: by the table, by its MAC address, or because the name is the real one. */
export function checkMapping({ values }: CheckedHost, findings: Findings): void {
  const { networkConfig, interfaces } = values;
  if (networkConfig === undefined) return;
  const views = readInterfaces(networkConfig.node, networkConfig.path);
  const declared = new Map(views.flatMap((view) => (view.name === undefined ? [] : [[view.name.text, view] as const])));
  const mapped = new Set(interfaces.map(({ name }) => name));
  const reported = new Set<string>();
  const report = ({ text, path }: Mention): void => {
    if (mapped.has(text) || PREDICTABLE.test(text) || text.startsWith('sriov:') || reported.has(text)) return;
    reported.add(text);
    findings.own({
      code: 'nodes-config/interface-unmapped',
      message: `mac-interface mapping for interface ${text} is missing and not a physical interface`,
      path,
      help: `Add ${text} with its MAC address to \`interfaces\` of this host, or use a name from there.`,
    });
  };
  for (const view of views) {
    if (view.state !== 'up') continue;
    if (view.name !== undefined && isHardware(view)) report(view.name);
    for (const lower of view.lower) {
      // What is declared is judged by its own type, and what is not can only be hardware.
      if (!declared.has(lower.text)) report(lower);
    }
  }
}

function isHardware({ type, identifier }: InterfaceView): boolean {
  return (type === 'ethernet' || type === '802-3-ethernet') && identifier !== 'mac-address';
}
