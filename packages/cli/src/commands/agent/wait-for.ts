import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceClient, type WaitEvent, type WaitExit, waitForBootstrap, waitForInstall } from '@coreiso/cluster';
import { probePort, trustAuthority } from '@coreiso/cluster/node';
import { showLine } from '@coreiso/peers/controls';
import { HIDDEN } from '@coreiso/peers/hidden';
import type { Arguments } from '../../frame/arguments.ts';
import type { Action } from '../../frame/command.ts';
import { inContext } from '../../frame/failure.ts';
import { readSecretText } from '../../frame/secret-file.ts';
import type { Terminal } from '../../frame/terminal.ts';
import { maxAnswerBytes, withClusterOf } from '../cluster-access.ts';
import { readWaitedSite, type WaitedSite } from './waited-site.ts';

/** The exit status of an interrupted `openshift-install`. */
const INTERRUPTED = 8;
const SSH_PORT = 22;

/** `coreiso agent wait-for bootstrap-complete`. */
export const bootstrapComplete: Action = (args, terminal) => waitFor('bootstrap', args, terminal);

/** `coreiso agent wait-for install-complete`. */
export const installComplete: Action = (args, terminal) => waitFor('install', args, terminal);

async function waitFor(end: 'bootstrap' | 'install', args: Arguments, terminal: Terminal): Promise<number> {
  const dir = args.optional('dir') ?? '.';
  const site = await readWaitedSite(dir, terminal);
  const { rendezvousIp, hosts, hostCount, fips, kubeconfig, watcherToken } = site;
  const userToken = args.has('token-file')
    ? (await readSecretText(terminal, args.required('token-file'))).trim()
    : site.userToken;
  const adminPassword =
    end === 'install' ? (await readSecretText(terminal, join(dir, 'auth', 'kubeadmin-password'))).trim() : '';
  const print = linePrinter(args, terminal, adminPassword);
  const service = new RendezvousService(site, args.optional('address') ?? rendezvousIp, maxAnswerBytes(terminal));
  const { signal } = terminal.io;
  if (watcherToken === undefined) {
    await print({
      level: 'warning',
      message: `${dir} has no state file with the token of the image: watching only the API of the new cluster, not the service on ${rendezvousIp}`,
    });
  }
  return await withClusterOf({ kubeconfig }, terminal, async (cluster) => {
    const ports = {
      cluster,
      observeService: service.observe,
      probeSsh: (address: string, stop?: AbortSignal) => probePort(address, SSH_PORT, stop),
      trustAuthority: (pem: string) => trustAuthority(terminal.path(kubeconfig), pem),
    };
    const options = {
      rendezvousIp,
      hosts,
      // If the number of hosts is unknown, no one can tell whether all have arrived, so no host is given up.
      hostCount: hostCount ?? Number.POSITIVE_INFINITY,
      fips,
      mode: args.has('compatible') ? ('compatible' as const) : ('strict' as const),
      signal,
      server: cluster.server,
      kubeconfig: terminal.path(kubeconfig),
      adminPassword,
    };
    const wait = end === 'bootstrap' ? waitForBootstrap(ports, options) : waitForInstall(ports, options);
    const exit = await follow(wait, print, signal);
    if (exit === INTERRUPTED)
      await print({ level: 'error', message: 'Interrupted. Repeat the command to keep waiting' });
    else if (exit !== 0 && !args.has('compatible')) await print(await gatherLogs(service, userToken, dir, terminal));
    return exit;
  });
}

async function follow(
  wait: AsyncGenerator<WaitEvent, WaitExit>,
  print: LinePrinter,
  signal: AbortSignal,
): Promise<WaitExit | typeof INTERRUPTED> {
  try {
    let step = await wait.next();
    for (; !step.done; step = await wait.next()) await print(step.value);
    return step.value;
  } catch (error) {
    if (signal.aborted) return INTERRUPTED;
    throw error;
  }
}

/** The service on the rendezvous host, and the cluster's ID in it. */
class RendezvousService {
  /** The host's own address, even if a proxy or tunnel reaches it. */
  readonly address: string;
  readonly #client: ServiceClient;
  readonly #hasToken: boolean;
  clusterId: string | undefined;

  constructor({ rendezvousIp, watcherToken }: WaitedSite, reachedAt: string, maxBytes: number | undefined) {
    this.address = rendezvousIp;
    this.#hasToken = watcherToken !== undefined;
    this.#client = new ServiceClient(reachedAt, { token: watcherToken ?? '', maxAnswerBytes: maxBytes });
  }

  get observe() {
    if (!this.#hasToken) return undefined;
    return async (...[known, signal]: Parameters<ServiceClient['observe']>) => {
      const seen = await this.#client.observe(known, signal);
      this.clusterId ??= known.clusterId ?? (seen.clusters?.ok ? seen.clusters.value[0] : undefined);
      return seen;
    };
  }

  async logs(userToken: string, signal: AbortSignal) {
    if (this.clusterId === undefined) return { ok: false, reason: 'the service never answered' } as const;
    return await this.#client.logs(this.clusterId, userToken, signal);
  }
}

/** Fetches the logs of the hosts, or says how to get them. */
async function gatherLogs(
  service: RendezvousService,
  userToken: string | undefined,
  dir: string,
  terminal: Terminal,
): Promise<LogLine> {
  const command = `ssh core@${service.address} agent-gather -O > agent-gather.tar.xz`;
  const byHand = `gather them on the rendezvous host:\n    ${command}`;
  if (userToken === undefined) {
    const message = `To fetch the logs of the hosts, pass the user token of the image with --token-file, or ${byHand}`;
    return { level: 'info', message, fact: { kind: 'logs', command } };
  }
  const logs = await service.logs(userToken, terminal.io.signal);
  if (!logs.ok) {
    const message = `Could not fetch the logs of the hosts (${logs.reason}); ${byHand}`;
    return { level: 'warning', message, fact: { kind: 'logs', command } };
  }
  const file = join(dir, `agent-logs-${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}.tar`);
  await inContext(`cannot write ${file}`, () =>
    writeFile(terminal.path(file), logs.value, { mode: 0o600, flag: 'wx' }),
  );
  return { level: 'info', message: `The logs of the hosts are in ${file}`, fact: { kind: 'logs', file } };
}

/** A line about the wait or about the steps after it. */
type LogLine = Omit<WaitEvent, 'at' | 'fact'> & { readonly fact?: object; readonly at?: number };
type LinePrinter = (line: LogLine) => Promise<void>;

const LEVELS = ['trace', 'debug', 'info', 'warning', 'error'] as const;
const COLOURS = { trace: 37, debug: 37, info: 36, warning: 33, error: 31 } as const;

/** Prints lines as `openshift-install` does: with the level in front on a terminal, as key and value elsewhere. */
function linePrinter(args: Arguments, terminal: Terminal, adminPassword: string): LinePrinter {
  const wanted = args.optional('log-level') ?? 'info';
  const least = LEVELS.findIndex((level) => level.startsWith(wanted));
  const hasColour = terminal.colour('stderr');
  return async (line) => {
    const { level, message, fact } = line;
    const isShown = LEVELS.indexOf(level) >= least;
    if (args.has('json')) {
      // On a terminal the user waits for the password; JSON is stored and passed on.
      const isHidden = adminPassword !== '' && !terminal.showsSecrets;
      const text = isHidden ? message.replaceAll(adminPassword, HIDDEN) : message;
      if (isShown || fact !== undefined) await terminal.printJsonLine({ ...line, message: text });
      return;
    }
    if (!isShown) return;
    const name = hasColour ? `\u001b[${COLOURS[level]}m${level.toUpperCase()}\u001b[0m` : level.toUpperCase();
    const prefix = terminal.io.stderr.isTTY === true ? `${name} ` : `level=${level} msg=`;
    for (const part of message.split('\n')) terminal.sayColoured(`${prefix}${showLine(part)}`);
  };
}
