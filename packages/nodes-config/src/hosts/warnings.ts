// Problems on machines that a correct config does not prevent, reported before anything is built.
import type { Diagnostic } from '@coreiso/diagnostics';
import type { Host } from '../rules/host.ts';
import { readLinks } from '../rules/network-view.ts';
import { configDiagnostic } from '../text/codes.ts';

/** Bonds and VLANs exist only once the network is set up, and by then a machine has to know which host it is. */
export function virtualIdentity({ interfaces, networkConfig, path }: Host): Diagnostic[] {
  if (networkConfig === undefined || interfaces.length === 0) return [];
  const links = new Map(readLinks(networkConfig).map((link) => [link.name, link]));
  if (!interfaces.every(({ name }) => links.get(name)?.isVirtual)) return [];
  const names = interfaces.map(({ name }) => `${name} (${links.get(name)?.type})`).join(', ');
  return [
    configDiagnostic({
      severity: 'warning',
      code: 'nodes-config/virtual-identity',
      message: `machines are identified by the MAC addresses of their cards, and this host has only ${names}`,
      path: [...path, 'interfaces'],
      help: 'Add the network cards below with their own MAC addresses.',
    }),
  ];
}
