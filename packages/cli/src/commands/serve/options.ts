import type { Arguments } from '../../frame/arguments.ts';
import { parseSize } from '../../frame/size.ts';
import type { Option } from '../../frame/usage.ts';
import { UsageError } from '../../frame/usage.ts';

/** Options of every command that serves. */
export const serverOptions: readonly Option[] = [
  {
    name: 'listen',
    value: 'HOST:PORT',
    check: (text) => void parseListen(text),
    help: 'Address to listen on (default: 127.0.0.1:8080)',
  },
  {
    name: 'public-url',
    value: 'URL',
    check: checkUrl,
    help: 'Address that clients use',
  },
  {
    name: 'token',
    help: 'Require tokens on 127.0.0.1, too',
  },
  {
    name: 'token-file',
    value: 'FILE',
    help: 'Secret that tokens are made from, 16 bytes or more',
  },
  {
    name: 'no-token',
    conflicts: ['token', 'token-file'],
    help: 'Let every client read every file',
  },
  { name: 'tls-cert', value: 'FILE', help: 'PEM certificates for HTTPS' },
  { name: 'tls-key', value: 'FILE', help: 'PEM key of --tls-cert' },
  {
    name: 'max-connections',
    value: 'N',
    check: (text) => void count(text),
    rare: true,
    help: 'Maximum number of connections (default: 2000)',
  },
  {
    name: 'max-connections-per-client',
    value: 'N',
    check: (text) => void count(text),
    rare: true,
    help: 'Maximum per client address, except this machine (default: 64)',
  },
  {
    name: 'idle-timeout',
    value: 'SECONDS',
    check: (text) => void count(text),
    rare: true,
    help: 'Close a connection after this idle time (default: 120)',
  },
  {
    name: 'max-header',
    value: 'SIZE',
    check: (text) => void headerSize(text),
    rare: true,
    help: 'Maximum size of a request header, such as 8192 or 16K (default: 8K)',
  },
  {
    name: 'grace',
    value: 'SECONDS',
    check: (text) => void count(text),
    rare: true,
    help: 'Time for answers to finish after SIGTERM or Ctrl-C (default: 10)',
  },
  { name: 'json', help: 'Print one JSON object per line' },
];

export const SERVER_HELP = `Answers GET and HEAD by ranges, with strong entity tags. Nothing is written to disk. A file that changes while it is sent breaks the connection: no client gets a mixture.

The log says what each client read, in which order and how far. Requests that continue each other are one line; beyond 100 lines in a second the rest is counted. / is an index of the files with the same figures, /metrics has them for Prometheus, and /healthz answers once the server is ready.

Unless the server listens on 127.0.0.1, each address, and that of the index, has a token that cannot be guessed; --token requires tokens on 127.0.0.1, too, and keeps other users of this machine out. The token is part of the path, which firmware, iPXE, QEMU and curl accept as it is. The addresses go to standard output; log and metrics name hosts and files, never tokens.`;

interface Listen {
  readonly host: string;
  readonly port: number;
}

/** The parsed options of a server. */
export interface ServerSettings extends Listen {
  readonly publicUrl: string | undefined;
  readonly maxConnections: number;
  readonly maxConnectionsPerClient: number;
  readonly idleMilliseconds: number;
  readonly graceMilliseconds: number;
  readonly maxHeaderSize: number;
}

export function serverSettings(args: Arguments): ServerSettings {
  if (args.has('tls-cert') !== args.has('tls-key')) {
    throw new UsageError('--tls-cert and --tls-key go together');
  }
  const number = (name: string, byDefault: number): number => count(args.optional(name) ?? String(byDefault));
  return {
    ...parseListen(args.optional('listen') ?? '127.0.0.1:8080'),
    publicUrl: args.optional('public-url')?.replace(/\/+$/, ''),
    maxConnections: number('max-connections', 2000),
    maxConnectionsPerClient: number('max-connections-per-client', 64),
    idleMilliseconds: number('idle-timeout', 120) * 1000,
    graceMilliseconds: number('grace', 10) * 1000,
    maxHeaderSize: headerSize(args.optional('max-header') ?? '8K'),
  };
}

/** Whether only this machine can reach a server at this host. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** Whether this host means every address of the machine. */
export function isWildcard(host: string): boolean {
  return host === '0.0.0.0' || /^[0:]+$/.test(host);
}

function parseListen(text: string): Listen {
  const [, literal, name, digits = ''] = /^(?:\[([0-9A-Fa-f:.]+)\]|([^:[\]\s]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = literal ?? name;
  if (host === undefined || Number(digits) > 65535) {
    throw new Error('expected ADDRESS:PORT, such as 127.0.0.1:8080 or [::]:8080');
  }
  return { host, port: Number(digits) };
}

function checkUrl(text: string): void {
  if (!/^https?:\/\/[^/?#\s]+(?:\/[^?#\s]*)?$/.test(text) || !URL.canParse(text)) {
    throw new Error('expected an http:// or https:// address without a query');
  }
}

function headerSize(text: string): number {
  const size = parseSize(text);
  if (size < 256 || size > 1024 ** 2) throw new Error('expected a size from 256 to 1M');
  return size;
}

function count(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new Error('expected a number from 1 to 9999999');
  return Number(text);
}
