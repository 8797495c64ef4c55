import { type Unit, unit } from '@coreiso/ignition';
import type { Workflow } from '../service-settings.ts';
import { clientUnits } from './client.ts';
import { CONSOLE_UNITS } from './console.ts';
import { machineUnits } from './machine.ts';
import { podUnits } from './pod.ts';
import type { UnitValues } from './systemd-words.ts';

/** Units that start only if another one requests them, or in other images than these. */
const NOT_ENABLED: ReadonlySet<string> = new Set([
  'agent-check-config-image.service',
  'apply-host-config.service',
  'load-config-iso@.service',
]);

const ENABLED_FOR: Readonly<Record<string, Workflow>> = {
  'start-cluster-installation.service': 'install',
  'agent-add-node.service': 'addnodes',
  'agent-auth-token-status.service': 'addnodes',
};

/** Whether the unit starts by itself if a config image is awaited: only the image decides what is installed. */
const FOR_CONFIG_IMAGES: Readonly<Record<string, boolean>> = {
  'agent-check-config-image.service': true,
  'start-cluster-installation.service': false,
  'agent-add-node.service': false,
  'agent-auth-token-status.service': false,
};

export function serviceUnits(workflow: Workflow, values: UnitValues & { readonly hasStaticNetwork: boolean }): Unit[] {
  const isEnabled = (name: string): boolean => {
    if (values.configImage !== undefined && FOR_CONFIG_IMAGES[name] !== undefined) return FOR_CONFIG_IMAGES[name];
    if (name === 'pre-network-manager-config.service') return values.hasStaticNetwork;
    return !NOT_ENABLED.has(name) && (ENABLED_FOR[name] ?? workflow) === workflow;
  };
  const texts = { ...podUnits(values), ...clientUnits(values), ...machineUnits(values), ...CONSOLE_UNITS };
  return Object.entries(texts).map(([name, contents]) =>
    unit(name, isEnabled(name) ? { contents, enabled: true } : { contents }),
  );
}
