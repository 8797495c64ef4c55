import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { PlannedAgent } from '@coreiso/cluster';
import { parseInstallConfig } from '@coreiso/nodes-config';
import { AGENT_STATE_FILE, type AgentState } from '@coreiso/openshift';
import { canonicalAddress } from '@coreiso/peers/ip';
import { memberOf, textOf } from '@coreiso/peers/members';
import { Failure } from '../../frame/failure.ts';
import { warnIfShared } from '../../frame/secret-file.ts';
import type { Terminal } from '../../frame/terminal.ts';
import { readText } from '../../frame/text.ts';
import { readState } from './directory.ts';

/** The state file of `openshift-install`; coreiso reads only the tokens in it. */
const PEERS_STATE_FILE = '.openshift_install_state.json';

/** The cluster to wait for, as the directory describes it. */
export interface WaitedSite {
  readonly rendezvousIp: string;
  readonly kubeconfig: string;
  readonly hosts: readonly PlannedAgent[];
  /** The number of hosts; undefined if the directory does not tell. */
  readonly hostCount: number | undefined;
  readonly fips: boolean;
  /** Token for read access to the service on the rendezvous host. Secret. */
  readonly watcherToken: string | undefined;
  /** Token for fetching the logs of hosts from the service. Secret. */
  readonly userToken: string | undefined;
}

/** Reads the directory in which an image was made; each missing part has its own message. */
export async function readWaitedSite(dir: string, terminal: Terminal): Promise<WaitedSite> {
  const state = await readState(dir, terminal);
  const optional = async (name: string) =>
    existsSync(terminal.path(join(dir, name))) ? await readText(terminal, join(dir, name)) : undefined;
  const kubeconfig = join(dir, 'auth', 'kubeconfig');
  const address = (await optional('rendezvousIP'))?.trim() ?? state?.rendezvousIP;
  if (address === undefined || !existsSync(terminal.path(kubeconfig))) {
    const absent = address === undefined ? join(dir, 'rendezvousIP') : kubeconfig;
    throw new Failure(`${absent} does not exist`, { help: 'pass --dir with the directory that the image was made in' });
  }
  const rendezvousIp = canonicalAddress(address);
  if (rendezvousIp === undefined) {
    throw new Error(`${join(dir, 'rendezvousIP')} has no IP address; agent create image writes it`);
  }
  const installConfig = (await optional('install-config.yaml')) ?? state?.consumed?.['install-config.yaml'];
  const isOwn = state?.watcherToken !== undefined;
  const { watcherToken, userToken } = isOwn ? state : tokensOfPeer(await optional(PEERS_STATE_FILE));
  const tokenFile = isOwn ? AGENT_STATE_FILE : PEERS_STATE_FILE;
  if (watcherToken !== undefined) warnIfShared(terminal, join(dir, tokenFile));
  return {
    rendezvousIp,
    kubeconfig,
    hosts: plannedAgents(state),
    ...expectation(installConfig),
    watcherToken,
    userToken,
  };
}

/** Returns the planned hosts; a host without a name gets its first address as its name. */
function plannedAgents(state: AgentState | undefined): PlannedAgent[] {
  return (state?.hosts ?? []).flatMap(({ name, macs, rootDeviceHints }) => {
    const called = name || macs[0];
    return called === undefined ? [] : [{ name: called, macs, rootDeviceHints }];
  });
}

function expectation(installConfig: string | undefined): Pick<WaitedSite, 'hostCount' | 'fips'> {
  const read = installConfig === undefined ? undefined : parseInstallConfig(installConfig, { mode: 'compatible' });
  if (!read?.ok) return { hostCount: undefined, fips: false };
  const { controlPlane, arbiter, compute, fips } = read.value.values;
  const pools = [controlPlane, arbiter, ...compute];
  return { hostCount: pools.reduce((sum, pool) => sum + (pool?.replicas ?? 0), 0), fips: fips === true };
}

function tokensOfPeer(text: string | undefined): Pick<WaitedSite, 'watcherToken' | 'userToken'> {
  const tokens = memberOf(parsedJson(text ?? '{}'), '*gencrypto.AuthConfig');
  const tokenOf = (name: string): string | undefined => textOf(tokens, name) || undefined;
  return { watcherToken: tokenOf('WatcherAuthToken'), userToken: tokenOf('UserAuthToken') };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
