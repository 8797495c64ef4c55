// One host's logs over the system's ssh: the script goes in by standard input, the archive comes out.
import { spawn } from 'node:child_process';
import { GATHER_SCRIPT } from '@coreiso/openshift';
import type { Terminal } from '../../frame/terminal.ts';

/** A host and where it is reached. */
export interface GatheredHost {
  readonly name: string;
  /** Undefined where no one knows. */
  readonly address: string | undefined;
}

/** The result of one host: an archive, or why there is none. */
export type GatherResult = GatheredHost & ({ readonly archive: Uint8Array } | { readonly reason: string });

/** Of compressed text; more is not a log. */
const LARGEST = 256 * 1024 * 1024;
const MOST_WORDS = 4096;
const XZ_MAGIC = Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]);

/** How hosts are reached. */
export interface SshOptions {
  /** The private key of user core; those of ssh where undefined. */
  readonly identity: string | undefined;
  /** The host keys that are taken; any where undefined, since live systems make new ones at each boot. */
  readonly knownHosts: string | undefined;
}

/** Nothing secret goes to a host, and no agent or display. */
const OPTIONS = [
  ...['-T', '-a', '-x'],
  ...['BatchMode=yes', 'ConnectTimeout=15', 'ServerAliveInterval=15', 'ServerAliveCountMax=4'].flatMap(option),
  ...option('LogLevel=ERROR'),
];

function option(text: string): string[] {
  return ['-o', text];
}

/** Runs the script on one host. Rejects only where there is no ssh, or the signal comes. */
export async function gatherHost(
  host: GatheredHost,
  { identity, knownHosts }: SshOptions,
  terminal: Terminal,
): Promise<GatherResult> {
  const { address } = host;
  if (address === undefined) return { ...host, reason: `no address is known: pass --address ${host.name}=IP` };
  const { signal, env } = terminal.io;
  const key = identity === undefined ? [] : ['-i', terminal.path(identity)];
  const { at, port } = splitAddress(address);
  const argv = [
    ...OPTIONS,
    ...hostKeys(knownHosts, terminal),
    ...key,
    ...port,
    '-l',
    'core',
    '--',
    at,
    'sudo -n sh -s -- -O',
  ];
  const child = spawn('ssh', argv, { env: { ...env }, stdio: ['pipe', 'pipe', 'pipe'], signal });
  const chunks: Buffer[] = [];
  let [size, words] = [0, ''];
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= LARGEST) chunks.push(chunk);
    else child.kill();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    words = `${words}${chunk}`.slice(-MOST_WORDS);
  });
  // Where the other end is gone, its status says why.
  child.stdin.on('error', () => undefined);
  child.stdin.end(GATHER_SCRIPT);
  const status = await new Promise<number | null>((done, fail) => {
    child.once('error', fail);
    child.once('close', done);
  });
  const archive = Buffer.concat(chunks);
  if (size > LARGEST) return { ...host, reason: 'it sends more than 256 MiB' };
  if (status !== 0) return { ...host, reason: reasonOf(words, knownHosts) || `ssh ended with status ${status}` };
  // What the login of a user prints comes first.
  const start = archive.subarray(0, MOST_WORDS).indexOf(XZ_MAGIC);
  return start === -1 ? { ...host, reason: 'it sends no archive' } : { ...host, archive: archive.subarray(start) };
}

function hostKeys(knownHosts: string | undefined, terminal: Terminal): string[] {
  if (knownHosts === undefined) return ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null'].flatMap(option);
  // ssh splits this value at blanks, and expands % and $ in it.
  const path = terminal.path(knownHosts).replace(/["\\]/g, '\\$&').replaceAll('%', '%%');
  return ['StrictHostKeyChecking=yes', 'GlobalKnownHostsFile=none', `UserKnownHostsFile="${path}"`].flatMap(option);
}

/** An address, perhaps in brackets and with a port behind it. */
function splitAddress(address: string): { readonly at: string; readonly port: readonly string[] } {
  const [, bracketed, plain, port] = /^(?:\[(.*)\]|([^:]*))(?::(\d+))?$/.exec(address) ?? [];
  return { at: bracketed ?? plain ?? address, port: port === undefined ? [] : ['-p', port] };
}

function reasonOf(words: string, knownHosts: string | undefined): string {
  if (knownHosts !== undefined && words.includes('Host key verification failed')) {
    const isOther = words.includes('REMOTE HOST IDENTIFICATION HAS CHANGED');
    return `its host key is ${isOther ? 'not the one' : 'not'} in ${knownHosts}`;
  }
  return words.trim().split('\n').at(-1)?.trim() ?? '';
}
