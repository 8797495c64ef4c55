import type { RequestListener, Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import {
  type Answer,
  createFileServer,
  type FileServer,
  type FileServerOptions,
  type ServedFile,
  type Transfer,
} from '@coreiso/iso/http';
import { limitConnections, nodeListener } from '@coreiso/iso/node';
import { showLine } from '@coreiso/peers/controls';
import { hex } from '@coreiso/peers/go';
import type { Arguments } from '../../frame/arguments.ts';
import { Failure, failureText, inContext } from '../../frame/failure.ts';
import { readNamed } from '../../frame/input.ts';
import { readSecret, readSecretText } from '../../frame/secret-file.ts';
import type { Terminal } from '../../frame/terminal.ts';
import { ServerLog } from './log.ts';
import { isLoopback, isWildcard, type ServerSettings, serverSettings } from './options.ts';
import { runText, timeText } from './run-text.ts';

/** The files that a command serves. */
export interface Offer {
  readonly files: readonly ServedFile[];
  /** Names of files that some users of this machine cannot read without the server. */
  readonly secret: readonly string[];
  /** Called when reading a file fails. */
  readonly onError?: (error: unknown, file: string) => void;
}

/** Returns the address of the directory with the files of an owner, without a slash at the end. */
export type FolderOf = (owner: string) => string;

/**
 * Serves until the program is stopped, and lets running answers finish. `prepare` is called once the server's address is
 * known; the addresses that it gets are valid once the server answers.
 */
export async function serve(
  args: Arguments,
  terminal: Terminal,
  prepare: (folderOf: FolderOf) => Promise<Offer>,
): Promise<void> {
  const settings = serverSettings(args);
  const secret = await secretFor(settings, args, terminal);
  let fileServer: FileServer | undefined;
  const reader = new AbortController();
  const log = new ServerLog((text) => terminal.sayText(text));
  const listener = nodeListener(
    { answer: (request) => fileServer?.answer(request) ?? NOT_READY, onEnd: (delivery) => fileServer?.onEnd(delivery) },
    { onError: (error) => log.line(failureText(error, 'own').trimEnd()) },
  );
  const server = await createServer(listener, settings, args, terminal);
  limitClients(server, settings, log);
  const idle = idleConnections(server);
  await inContext(`cannot listen on ${settings.host}:${settings.port}`, () => listen(server, settings));
  /** Log lines that are being printed. */
  const printing = new Set<Promise<void>>();
  const printed = (line: Promise<void>): void => {
    const one = line.catch((error: unknown) => reader.abort(error)).finally(() => printing.delete(one));
    printing.add(one);
  };
  const endSecond = (before?: number): void => {
    fileServer?.flush(before);
    printed(printOmitted(log.turn(), args, terminal));
  };
  const ticking = setInterval(() => endSecond(Date.now() - QUIET), QUIET);
  try {
    const url = settings.publicUrl ?? ownUrl(server, settings, args);
    const { files, secret: secretFiles, onError } = await prepare((owner) => `${url}${folderIn(fileServer, owner)}`);
    fileServer = createFileServer(files, {
      ...accessOptions(settings, url, secret),
      onRead: (run) => printed(printTransfer(run, log, args, terminal)),
      onError: (error, file) => {
        log.line(`${showLine(file)}: ${failureText(error, 'own').trimEnd()}`);
        onError?.(error, file);
      },
    });
    if (secret === undefined) warnOfReaders(secretFiles, settings, args, terminal);
    await printAddresses(fileServer, url, secret, server, args, terminal);
    await stopped(AbortSignal.any([terminal.io.signal, reader.signal]));
    reader.signal.throwIfAborted();
    await stop(server, idle, settings);
  } finally {
    clearInterval(ticking);
    server.closeAllConnections();
    server.close();
    endSecond();
    // Print the last lines, too.
    await Promise.all(printing);
  }
}

/** Milliseconds of silence after which a transfer counts as ended. */
const QUIET = 1000;

const NOT_READY: Answer = {
  status: 503,
  headers: { 'content-type': 'text/plain', 'retry-after': '1' },
  body: 'not ready yet\n',
};

async function secretFor(settings: ServerSettings, args: Arguments, terminal: Terminal): Promise<string | undefined> {
  const file = args.optional('token-file');
  if (file !== undefined) {
    const secret = (await readSecretText(terminal, file)).trim();
    if (new TextEncoder().encode(secret).length < 16) {
      throw new Failure(`${file}: expected a secret of 16 bytes or more`, { help: 'openssl rand -hex 32 prints one' });
    }
    return secret;
  }
  if (args.has('no-token') || (isLoopbackOnly(settings) && !args.has('token'))) return undefined;
  return hex(crypto.getRandomValues(new Uint8Array(32)));
}

/** Whether only programs of this machine can reach the server; a proxy on it may let others in. */
function isLoopbackOnly({ host, publicUrl }: ServerSettings): boolean {
  return isLoopback(host) && (publicUrl === undefined || isLoopback(new URL(publicUrl).hostname));
}

async function createServer(
  listener: RequestListener,
  { maxHeaderSize, maxConnections, idleMilliseconds }: ServerSettings,
  args: Arguments,
  terminal: Terminal,
): Promise<Server> {
  const limits = {
    maxHeaderSize,
    headersTimeout: idleMilliseconds,
    requestTimeout: idleMilliseconds,
    keepAliveTimeout: idleMilliseconds,
  };
  const [cert, key] = [args.optional('tls-cert'), args.optional('tls-key')];
  const server =
    cert === undefined || key === undefined
      ? (await import('node:http')).createServer(limits, listener)
      : await inContext(`cannot use ${cert} and ${key} for TLS`, async () => {
          const pem = {
            cert: Buffer.from(await readNamed(terminal, cert)),
            key: Buffer.from(await readSecret(terminal, key)),
          };
          return (await import('node:https')).createServer({ ...limits, ...pem }, listener);
        });
  server.maxConnections = maxConnections;
  server.timeout = idleMilliseconds;
  return server;
}

function limitClients(server: Server, settings: ServerSettings, log: ServerLog): void {
  const { maxConnections, maxConnectionsPerClient: perClient } = settings;
  server.on('drop', (dropped) => {
    log.line(`${dropped?.remoteAddress ?? 'a client'} was turned away: ${maxConnections} connections are open`);
  });
  limitConnections(server, {
    perClient,
    onRefused: (client) => log.line(`${client} was turned away: it has ${perClient} connections open`),
  });
}

function listen(server: Server, { host, port }: ServerSettings): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
}

/** Returns the address of the server if no one passed one. */
function ownUrl(server: Server, { host }: ServerSettings, args: Arguments): string {
  const { port } = server.address() as AddressInfo;
  const name = isWildcard(host) ? onlyAddress() : host;
  return `${args.has('tls-cert') ? 'https' : 'http'}://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Returns the address of this machine for others, if it has just one. */
function onlyAddress(): string {
  const { networkInterfaces } = process.getBuiltinModule('node:os');
  const addresses = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ internal, address }) => !internal && !/^fe80:/i.test(address));
  const preferred = addresses.filter(({ family }) => family === 'IPv4');
  const [only, ...others] = preferred.length > 0 ? preferred : addresses;
  if (only !== undefined && others.length === 0) return only.address;
  const found = [only, ...others].flatMap((each) => each?.address ?? []).join(', ') || 'none';
  throw new Error(`cannot tell the address that clients use: pass --public-url, or listen on one of ${found}`);
}

/** Without tokens, only the host name protects against DNS rebinding from a page of another site. */
function accessOptions({ host }: ServerSettings, url: string, secret: string | undefined): FileServerOptions {
  if (secret !== undefined) return { secret };
  return isLoopback(host) ? { hosts: ['localhost', '127.0.0.1', '[::1]', host, new URL(url).hostname] } : {};
}

function folderIn(fileServer: FileServer | undefined, owner: string): string {
  const path = fileServer?.paths.find((place) => place.owner === owner)?.path ?? '';
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Warns about readable files: without tokens, file modes protect nothing, since a loopback port has no owner. */
function warnOfReaders(files: readonly string[], { host }: ServerSettings, args: Arguments, terminal: Terminal): void {
  const [first, ...others] = files;
  if (first === undefined || !isLoopback(host) || args.has('no-token')) return;
  const names = others.length === 0 ? first : `${first} and ${others.length} more`;
  terminal.say(`warning: every user of this machine can read ${names} from this server`);
  terminal.say('help: pass --token to keep them out, or --no-token to allow it');
}

async function printAddresses(
  { paths, index }: FileServer,
  url: string,
  secret: string | undefined,
  server: Server,
  args: Arguments,
  terminal: Terminal,
): Promise<void> {
  const addresses = paths.map(({ name, owner, path }) => ({ name, owner, address: `${url}${path}` }));
  if (args.has('json')) {
    const { address, port } = server.address() as AddressInfo;
    const event = { event: 'listening', address, port, index: `${url}${index}`, files: addresses };
    await terminal.printJsonLine(event);
    return;
  }
  const printed = addresses.map(({ address }) => `${address}\n`);
  if (secret === undefined) terminal.say(`Serving; the index is ${url}${index}`);
  else {
    // Standard error is a log that others may read.
    terminal.say('Serving; the index is the last address');
    printed.push(`${url}${index}\n`);
  }
  await terminal.print(printed.join(''));
}

async function printTransfer(run: Transfer, log: ServerLog, args: Arguments, terminal: Terminal): Promise<void> {
  if (!args.has('json')) log.line(showLine(runText(run)), timeText(run));
  else if (log.takes())
    await terminal.printJsonLine({ event: 'read', ...run, since: new Date(run.since).toISOString() });
}

async function printOmitted(lines: number, args: Arguments, terminal: Terminal): Promise<void> {
  if (lines === 0) return;
  if (args.has('json')) await terminal.printJsonLine({ event: 'left-out', lines });
  else terminal.say(`left ${lines} more ${lines === 1 ? 'line' : 'lines'} out of the log`);
}

function stopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Accepts no new connections, lets running answers finish, and closes idle connections. */
async function stop(server: Server, idle: ReadonlySet<Socket>, { graceMilliseconds }: ServerSettings): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const closing = setInterval(() => {
    for (const socket of idle) socket.destroy();
  }, 20);
  const end = setTimeout(() => server.closeAllConnections(), graceMilliseconds);
  await closed;
  clearInterval(closing);
  clearTimeout(end);
  // Broken transfers are logged a moment later.
  await new Promise((resolve) => setTimeout(resolve, 50));
}

/**
 * Returns the connections without a running answer, kept up to date. Node's own list lacks connections that never sent a
 * request.
 */
function idleConnections(server: Server): ReadonlySet<Socket> {
  const idle = new Set<Socket>();
  // In TLS, a request has the decrypted socket.
  server.on('setSecureContext' in server ? 'secureConnection' : 'connection', (socket: Socket) => {
    idle.add(socket);
    socket.once('close', () => idle.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    idle.delete(socket);
    response.once('close', () => {
      if (!socket.destroyed) idle.add(socket);
    });
  });
  return idle;
}
