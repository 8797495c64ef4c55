// Gathers one host's logs over the system's ssh: the script goes to standard input, the archive comes from standard output.
import { spawn } from 'node:child_process';
import { GATHER_SCRIPT } from '@coreiso/openshift';
import type { Terminal } from '../../frame/terminal.ts';

/** A host and its address. */
export interface GatheredHost {
  readonly name: string;
  /** Undefined if unknown. */
  readonly address: string | undefined;
}

/** The result of one host: an archive, or why there is none. */
export type GatherResult = GatheredHost & ({ readonly archive: Uint8Array } | { readonly reason: string });

/** Compressed bytes; logs are never larger. */
const LARGEST = 256 * 1024 * 1024;
const MOST_WORDS = 4096;
const XZ_MAGIC = Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]);

/** Keys for ssh. */
export interface SshOptions {
  /** The private key of user core; undefined for the default keys of ssh. */
  readonly identity: string | undefined;
  /** The accepted host keys; undefined accepts any, since live systems make new ones at each boot. */
  readonly knownHosts: string | undefined;
}

/** Sends no secret to a host, and forwards no agent or display. */
const OPTIONS = [
  ...['-T', '-a', '-x'],
  ...['BatchMode=yes', 'ConnectTimeout=15', 'ServerAliveInterval=15', 'ServerAliveCountMax=4'].flatMap(option),
  ...option('LogLevel=ERROR'),
];

function option(text: string): string[] {
  return ['-o', text];
}

/** Runs the script on one host. Rejects only if ssh is missing or the signal aborts. */
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
  // If the remote end is gone, the exit status of ssh tells why.
  child.stdin.on('error', () => undefined);
  child.stdin.end(GATHER_SCRIPT);
  const status = await new Promise<number | null>((done, fail) => {
    child.once('error', fail);
    child.once('close', done);
  });
  const archive = Buffer.concat(chunks);
  if (size > LARGEST) return { ...host, reason: 'it sends more than 256 MiB' };
  if (status !== 0) return { ...host, reason: reasonOf(words, knownHosts) || `ssh ended with status ${status}` };
  // Login messages of the user come first.
  const start = archive.subarray(0, MOST_WORDS).indexOf(XZ_MAGIC);
  return start === -1 ? { ...host, reason: 'it sends no archive' } : { ...host, archive: archive.subarray(start) };
}

function hostKeys(knownHosts: string | undefined, terminal: Terminal): string[] {
  if (knownHosts === undefined) return ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null'].flatMap(option);
  // ssh splits this value at blanks and expands % and $ in it.
  const path = terminal.path(knownHosts).replace(/["\\]/g, '\\$&').replaceAll('%', '%%');
  return ['StrictHostKeyChecking=yes', 'GlobalKnownHostsFile=none', `UserKnownHostsFile="${path}"`].flatMap(option);
}

/** Splits an address, perhaps in brackets, from the port that may follow it. */
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
