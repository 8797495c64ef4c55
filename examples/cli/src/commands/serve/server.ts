import type { RequestListener, Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { describeError } from '@coreiso/diagnostics';
import { hex } from '@coreiso/diagnostics/go';
import { type Answer, createSite, type Run, type Site, type SiteFile, type SiteOptions } from '@coreiso/iso/http';
import { nodeListener } from '@coreiso/iso/node';
import type { Arguments } from '../../frame/arguments.ts';
import { inContext } from '../../frame/failure.ts';
import { readNamed } from '../../frame/input.ts';
import type { Terminal } from '../../frame/terminal.ts';
import { readText } from '../../frame/text.ts';
import { isLoopback, isWildcard, type ServerSettings, serverSettings } from './options.ts';
import { runText } from './run-text.ts';

/** What a command offers. */
export interface Offer {
  readonly files: readonly SiteFile[];
  /** Told what a file failed with. */
  readonly onError?: (error: unknown, file: string) => void;
}

/** The address, without a slash at its end, of the folder in which the files of an owner are. */
export type FolderOf = (owner: string) => string;

/**
 * Serves until the program is told to stop, and lets the answers end that are under way. `prepare` is called when it is
 * known where the server is reached; the addresses that it is given hold once the server answers.
 */
export async function serve(
  args: Arguments,
  terminal: Terminal,
  prepare: (folderOf: FolderOf) => Promise<Offer>,
): Promise<void> {
  const settings = serverSettings(args);
  const secret = await secretFor(settings, args, terminal);
  let site: Site | undefined;
  const reader = new AbortController();
  const listener = nodeListener(
    { answer: (request) => site?.answer(request) ?? NOT_READY, onEnd: (delivery) => site?.onEnd(delivery) },
    { onError: (error) => terminal.say(describeError(error)) },
  );
  const server = await createServer(listener, settings, args, terminal);
  const idle = idleConnections(server);
  await inContext(`cannot listen on ${settings.host}:${settings.port}`, () => listen(server, settings));
  const ticking = setInterval(() => site?.flush(Date.now() - QUIET), QUIET);
  try {
    const url = settings.publicUrl ?? ownUrl(server, settings, args);
    const { files, onError } = await prepare((owner) => `${url}${folderIn(site, owner)}`);
    site = createSite(files, {
      ...accessTo(settings, url, secret),
      onRead: (run) => tellRun(run, args, terminal).catch((error: unknown) => reader.abort(error)),
      onError: (error, file) => {
        terminal.say(`${file}: ${describeError(error)}`);
        onError?.(error, file);
      },
    });
    await tellAddresses(site, url, server, args, terminal);
    await stopped(AbortSignal.any([terminal.io.signal, reader.signal]));
    reader.signal.throwIfAborted();
    await stop(server, idle, settings);
  } finally {
    clearInterval(ticking);
    server.closeAllConnections();
    server.close();
    site?.flush();
  }
}

/** Milliseconds after which nobody is expected to go on where it left off. */
const QUIET = 1000;

const NOT_READY: Answer = {
  status: 503,
  headers: { 'content-type': 'text/plain', 'retry-after': '1' },
  body: 'not ready yet\n',
};

async function secretFor({ host }: ServerSettings, args: Arguments, terminal: Terminal): Promise<string | undefined> {
  const file = args.optional('token-file');
  if (file !== undefined) {
    const secret = (await readText(terminal, file)).trim();
    if (new TextEncoder().encode(secret).length < 16) {
      throw new Error(`${file}: a secret has at least 16 bytes; openssl rand -hex 32 makes one`);
    }
    return secret;
  }
  if (isLoopback(host) || args.has('no-token')) return undefined;
  return hex(crypto.getRandomValues(new Uint8Array(32)));
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
            key: Buffer.from(await readNamed(terminal, key)),
          };
          return (await import('node:https')).createServer({ ...limits, ...pem }, listener);
        });
  server.maxConnections = maxConnections;
  server.timeout = idleMilliseconds;
  server.on('drop', (dropped) => {
    terminal.say(`${dropped?.remoteAddress ?? 'a client'} was turned away: ${maxConnections} connections are open`);
  });
  return server;
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

/** The address of the server where nobody has given one. */
function ownUrl(server: Server, { host }: ServerSettings, args: Arguments): string {
  const { port } = server.address() as AddressInfo;
  const name = isWildcard(host) ? onlyAddress() : host;
  return `${args.has('tls-cert') ? 'https' : 'http'}://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** The address of this machine for others, if it has just one. */
function onlyAddress(): string {
  const { networkInterfaces } = process.getBuiltinModule('node:os');
  const addresses = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ internal, address }) => !internal && !/^fe80:/i.test(address));
  const preferred = addresses.filter(({ family }) => family === 'IPv4');
  const [only, ...others] = preferred.length > 0 ? preferred : addresses;
  if (only !== undefined && others.length === 0) return only.address;
  const found = [only, ...others].flatMap((each) => each?.address ?? []).join(', ') || 'none';
  throw new Error(`under which address is this server reached? Give --public-url, or listen on one of: ${found}`);
}

/** Without tokens nothing but the name keeps a page of another site, made to point here, from reading along. */
function accessTo({ host }: ServerSettings, url: string, secret: string | undefined): SiteOptions {
  if (secret !== undefined) return { secret };
  return isLoopback(host) ? { hosts: ['localhost', '127.0.0.1', '[::1]', host, new URL(url).hostname] } : {};
}

function folderIn(site: Site | undefined, owner: string): string {
  const path = site?.paths.find((place) => place.owner === owner)?.path ?? '';
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

async function tellAddresses(
  { paths, index }: Site,
  url: string,
  server: Server,
  args: Arguments,
  terminal: Terminal,
): Promise<void> {
  const addresses = paths.map(({ name, owner, path }) => ({ name, owner, address: `${url}${path}` }));
  if (args.has('json')) {
    const { address, port } = server.address() as AddressInfo;
    const event = { event: 'listening', address, port, index: `${url}${index}`, files: addresses };
    await terminal.print(`${JSON.stringify(event)}\n`);
    return;
  }
  terminal.say(`Serving; the index is ${url}${index}`);
  await terminal.print(addresses.map(({ address }) => `${address}\n`).join(''));
}

async function tellRun(run: Run, args: Arguments, terminal: Terminal): Promise<void> {
  if (args.has('json')) await terminal.print(`${JSON.stringify({ event: 'read', ...run })}\n`);
  else terminal.say(runText(run));
}

function stopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** No new connections; those that are answered may end, those that wait for a request are closed. */
async function stop(server: Server, idle: ReadonlySet<Socket>, { graceMilliseconds }: ServerSettings): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const closing = setInterval(() => {
    for (const socket of idle) socket.destroy();
  }, 20);
  const end = setTimeout(() => server.closeAllConnections(), graceMilliseconds);
  await closed;
  clearInterval(closing);
  clearTimeout(end);
  // What was broken off is told a moment later.
  await new Promise((resolve) => setTimeout(resolve, 50));
}

/** The connections that nothing is answered on, kept up to date. Node's own list lacks those that never asked for anything. */
function idleConnections(server: Server): ReadonlySet<Socket> {
  const idle = new Set<Socket>();
  // Of an encrypted connection requests know the inner end.
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
