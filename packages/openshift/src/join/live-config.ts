import { buildConfig, type Config, type File, type Unit, type User, unit, user } from '@coreiso/ignition';
import { requireSafeNames } from '@coreiso/nodes-config';
import { checkArgument } from '@coreiso/peers/arguments';
import { compareBytes } from '@coreiso/peers/go';
import { clusterFiles } from './cluster-files.ts';
import { hostTable } from './host-table.ts';
import { program, rootFile } from './live-files.ts';
import { CLIENT_ID } from './service/fixed-files.ts';
import { strategyOf } from './strategies.ts';
import type { NodesPlan } from './strategy.ts';
import { HOST_UNIT, HOSTNAME_UNIT, NETWORK_UNIT } from './units.ts';

/**
 * The Ignition config of the live system, in the lowest sufficient version of the specification. Equal plans give equal configs.
 * `profiles: 'in-place'` leaves out the network profiles, for an image of a single host that has them in NetworkManager's
 * directory.
 *
 * @example await edit(image, { ignition: liveConfig(plan) })
 */
export function liveConfig(
  plan: NodesPlan,
  options: { readonly profiles?: 'chosen-at-boot' | 'in-place' | undefined } = {},
): Config {
  checkArgument('plan', plan, 'object');
  checkArgument('options', options, 'object');
  requireSafeNames(plan);
  const { profiles = 'chosen-at-boot' } = options;
  const strategy = strategyOf(plan.join);
  if (strategy.whole !== undefined) return strategy.whole(plan, profiles);
  const joining = strategy.parts?.(plan) ?? {};
  const isChosen = profiles === 'chosen-at-boot' && plan.hosts.some(({ network }) => network !== undefined);
  const tree = plan.files.filter(({ path }) => isChosen || !path.startsWith('/etc/assisted/network/'));
  const files: File[] = [
    ...tree.map(({ path, contents, mode }) => rootFile(path, contents, mode)),
    rootFile('/etc/NetworkManager/conf.d/clientid.conf', CLIENT_ID, 0o600),
    rootFile('/etc/coreiso/hosts', hostTable(plan.hosts), 0o600),
    program('coreiso-nics'),
    program('coreiso-host'),
    program('coreiso-hostname'),
    ...(isChosen ? [program('coreiso-network')] : []),
    ...clusterFiles(plan.cluster),
    ...(joining.files ?? []),
  ];
  const units: Unit[] = [
    unit('coreiso-host.service', { contents: HOST_UNIT, enabled: true }),
    unit('coreiso-hostname.service', { contents: HOSTNAME_UNIT, enabled: true }),
    ...(isChosen ? [unit('coreiso-network.service', { contents: NETWORK_UNIT, enabled: true })] : []),
    ...(joining.units ?? []),
  ];
  return buildConfig({
    users: plan.sshKey === '' && plan.passwordHash === undefined ? [] : [core(plan)],
    files: files.sort((a, b) => compareBytes(a.path, b.path)),
    units: units.sort((a, b) => compareBytes(a.name, b.name)),
  });
}

function core({ sshKey, passwordHash }: NodesPlan): User {
  return user('core', {
    ...(sshKey === '' ? {} : { sshAuthorizedKeys: sshKey }),
    passwordHash,
  });
}
