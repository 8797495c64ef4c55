// One host's logs over the system's ssh: the script goes in by standard input, the archive comes out.
import { spawn } from 'node:child_process';
import { GATHER_SCRIPT } from '@coreiso/openshift';
import type { Terminal } from '../../frame/terminal.ts';

/** A host and where it is reached. */
export interface GatheredHost {
  readonly name: string;
  /** Undefined where nobody knows. */
  readonly address: string | undefined;
}

/** What came of one host: an archive, or why there is none. */
export type Gathered = GatheredHost & ({ readonly archive: Uint8Array } | { readonly reason: string });

/** Of compressed text; more is no log. */
const LARGEST = 256 * 1024 * 1024;
const MOST_WORDS = 4096;
const XZ_MAGIC = Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]);

/** Live systems make new host keys at each boot, so none is known; nothing secret goes to them, and no agent or display. */
const OPTIONS = [
  ...['-T', '-a', '-x'],
  ...['BatchMode=yes', 'ConnectTimeout=15', 'ServerAliveInterval=15', 'ServerAliveCountMax=4'].flatMap(option),
  ...['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'LogLevel=ERROR'].flatMap(option),
];

function option(text: string): string[] {
  return ['-o', text];
}

/** Runs the script on one host. Rejects only where there is no ssh, or the signal comes. */
export async function gatherHost(
  host: GatheredHost,
  identity: string | undefined,
  terminal: Terminal,
): Promise<Gathered> {
  const { address } = host;
  if (address === undefined) return { ...host, reason: `no address is known: pass --address ${host.name}=IP` };
  const { signal, env } = terminal.io;
  const key = identity === undefined ? [] : ['-i', terminal.path(identity)];
  const { at, port } = divided(address);
  const argv = [...OPTIONS, ...key, ...port, '-l', 'core', '--', at, 'sudo -n sh -s -- -O'];
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
  if (status !== 0) return { ...host, reason: lastLine(words) || `ssh ended with status ${status}` };
  if (!archive.subarray(0, XZ_MAGIC.length).equals(XZ_MAGIC)) return { ...host, reason: 'it sends no archive' };
  return { ...host, archive };
}

/** An address, perhaps in brackets and with a port behind it. */
function divided(address: string): { readonly at: string; readonly port: readonly string[] } {
  const [, bracketed, plain, port] = /^(?:\[(.*)\]|([^:]*))(?::(\d+))?$/.exec(address) ?? [];
  return { at: bracketed ?? plain ?? address, port: port === undefined ? [] : ['-p', port] };
}

function lastLine(words: string): string {
  return words.trim().split('\n').at(-1)?.trim() ?? '';
}
