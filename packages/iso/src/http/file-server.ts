// File servers: find the file of a request, check access, and record the transfer.

import { checkArgument, checkOptions } from '@coreiso/peers/arguments';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import type { ByteSource } from '../bytes/source.ts';
import { IsoError } from '../errors.ts';
import { type Answer, type PlainRequest, responseOf } from './answer.ts';
import { indexData, indexText, metricsText } from './file-server-pages.ts';
import { rangeAnswer } from './range-response.ts';
import { Readings, type Transfer } from './readings.ts';

/** A file that a server offers. */
export interface ServedFile {
  /** The last part of its address, for example `worker-3.iso`; unique. */
  readonly name: string;
  /** The owner: all files of one owner have the same token. Files without an owner are available under every token. */
  readonly owner?: string;
  /** Media type; `application/octet-stream` by default. */
  readonly type?: string;
  /**
   * Called for each request, so cache expensive results. If the file is missing (`ENOENT`), clients are asked to retry.
   */
  open(signal: AbortSignal): ByteSource | Promise<ByteSource>;
}

/** Options of a file server. */
export interface FileServerOptions {
  /**
   * The secret from which tokens in addresses are derived: at least 16 random bytes. Servers with the same secret have
   * the same addresses. Without a secret, the path of each file is its name.
   */
  readonly secret?: string | undefined;
  /** Accepted host names and addresses of the server (default: all); protects the server from pages of other sites. */
  readonly hosts?: readonly string[] | undefined;
  /** Called after each transfer: a contiguous run of reads by one client. */
  readonly onRead?: ((transfer: Transfer) => void) | undefined;
  /** Called with the error if a file cannot be opened or read. */
  readonly onError?: ((error: unknown, file: string) => void) | undefined;
}

/** A file server, independent of the HTTP library. */
export interface FileServer {
  /** Answers a request; `nodeListener` accepts a file server directly. */
  readonly answer: (request: PlainRequest) => Promise<
    Answer & {
      /** The name of the requested file; absent if there is none. */
      readonly file?: string;
      /** The size of that file; absent if it could not be opened. */
      readonly size?: number;
    }
  >;
  /** A handler for servers of the web platform. */
  readonly handler: (request: Request) => Promise<Response>;
  /** Call it when an answer of `answer` has ended; it updates the statistics. */
  readonly onEnd: (delivery: {
    readonly request: PlainRequest;
    readonly answer: Answer;
    /** Bytes of the body that went to the client. */
    readonly sent: number;
    readonly outcome: 'complete' | 'left' | 'broken';
    /** The address of the client. */
    readonly client: string;
    /** The error that broke the answer. */
    readonly error?: unknown;
  }) => void;
  /** Reports transfers that have not continued since a time in milliseconds (default: all). */
  flush(before?: number): void;
  /** The paths of all files, beginning with a slash; a file without an owner has a path beside each owned file. */
  readonly paths: readonly { readonly name: string; readonly owner: string | undefined; readonly path: string }[];
  /** Path of the index page. */
  readonly index: string;
}

type FileServerAnswer = Awaited<ReturnType<FileServer['answer']>>;

const SHORTEST_SECRET = 16;
/** Paths that the file server uses itself. */
const RESERVED = ['healthz', 'metrics'];
/** Errors of files that are fetched from other servers. */
const REMOTE = ['ISO_REMOTE', 'ISO_TOO_SLOW', 'ISO_BAD_ANSWER', 'ISO_NO_RANGES', 'ISO_CHANGED'];

/**
 * Serves files that are computed on demand. It has no state: servers with the same files and the same secret give the same
 * answers.
 *
 * @example
 * ```ts
 * const fileServer = createFileServer([{ name: 'worker-3.iso', owner: 'worker-3', open: async () => (await edit(image, changes)).overlay }]);
 * createServer(nodeListener(fileServer)).listen(8080, '127.0.0.1');
 * ```
 */
export function createFileServer(files: Iterable<ServedFile>, options: FileServerOptions = {}): FileServer {
  checkArgument('files', files, 'list');
  checkOptions(options, { secret: 'text', hosts: 'texts', onRead: 'function', onError: 'function' });
  const { secret, hosts, onRead = () => undefined, onError = () => undefined } = options;
  const byName = indexByName(files);
  const token = secret === undefined ? () => '' : tokens(secret);
  const tokenOf = new Map<string, string>();
  for (const { owner } of byName.values()) if (owner !== undefined) tokenOf.set(owner, token(`file ${owner}`));
  const prefix = (purpose: string): string => (secret === undefined ? '/' : `/${token(purpose)}/`);
  const index = prefix('index');
  const paths = [...byName.values()].flatMap(({ name, owner }) =>
    (owner === undefined && secret !== undefined ? [...tokenOf.keys()] : [owner]).map((whose) => ({
      name,
      owner: whose,
      path: `${prefix(`file ${whose}`)}${encodeURIComponent(name)}`,
    })),
  );
  const readings = new Readings(onRead);

  const find = (path: string): ServedFile | undefined => {
    const [, key = '', name = ''] = /^\/(?:([^/]*)\/)?([^/]+)$/.exec(path) ?? [];
    const file = byName.get(decode(name));
    if (file === undefined) return undefined;
    if (secret === undefined) return key === '' && !path.startsWith('//') ? file : undefined;
    const owners = file.owner === undefined ? tokenOf.keys() : [file.owner];
    for (const owner of owners) if (equalsSecret(tokenOf.get(owner) ?? '', key)) return file;
    return undefined;
  };

  const answerWith = async (file: ServedFile, request: PlainRequest): Promise<FileServerAnswer> => {
    const { name, type } = file;
    try {
      const source = await file.open(request.signal);
      checkArgument(`content of ${name}`, source, 'source');
      const options = type === undefined ? { filename: name } : { filename: name, type };
      return { ...(await rangeAnswer(request, source, options)), file: name, size: source.size };
    } catch (error) {
      if (request.signal.aborted) throw error;
      onError(error, name);
      return { ...failurePage(error), file: name };
    }
  };

  const answer = async (request: PlainRequest): Promise<FileServerAnswer> => {
    const { pathname, hostname } = new URL(request.url);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return { status: 405, headers: { allow: 'GET, HEAD' } };
    }
    if (pathname === '/healthz') return page(200, 'ok\n');
    if (hosts?.includes(hostname) === false) return page(421, 'this server is not known by that name\n');
    if (pathname === '/metrics') return page(200, metricsText(byName.keys(), readings), METRICS);
    if (equalsSecret(index, pathname)) {
      const isJson = request.headers.get('accept')?.includes('application/json') === true;
      return isJson
        ? page(200, JSON.stringify(indexData(paths, readings)), 'application/json')
        : page(200, indexText(paths, readings, Date.now()));
    }
    const file = find(pathname);
    return file === undefined ? page(404, 'no such file\n') : answerWith(file, request);
  };

  return {
    paths,
    index,
    flush: (before) => readings.flush(before),
    answer,
    handler: async (request) => responseOf(await answer(request), request.signal),
    onEnd({ request: { method }, answer, sent, outcome, client, error }) {
      const { status, file = '', size = 0, start }: FileServerAnswer = answer;
      // Monitoring polls the server's own pages all the time.
      if (file === '' && status < 300) return;
      // An answer with several ranges does not show which bytes were sent.
      const end = start === undefined ? 0 : start + sent;
      readings.add({ file, client, method, status, size, start: start ?? 0, end, outcome, at: Date.now() });
      if (error !== undefined) onError(error, file);
    },
  };
}

/** Seconds after which a file that is being replaced should be there again. */
const AWAY = 2;

/**
 * A file that disappears after the server has started is usually being replaced, so clients are asked to retry with 503
 * (RFC 9110 §15.6.4).
 */
function failurePage(error: unknown): Answer {
  if (isAway(error)) {
    const { headers, ...rest } = page(503, 'this file is away\n');
    return { ...rest, headers: { ...headers, 'retry-after': `${AWAY}` } };
  }
  return page(error instanceof IsoError && REMOTE.includes(error.code) ? 502 : 500);
}

/** Whether an error, or one of its causes, means that the file does not exist. */
function isAway(error: unknown): boolean {
  let cause = error;
  for (let depth = 0; depth < 10 && cause instanceof Error; depth++) {
    if ('code' in cause && cause.code === 'ENOENT') return true;
    cause = cause.cause;
  }
  return false;
}

const METRICS = 'text/plain; version=0.0.4; charset=utf-8';

function page(status: number, text = '', type = 'text/plain; charset=utf-8'): Answer {
  const length = String(bytesOf(text).length);
  return {
    status,
    headers: { 'content-type': type, 'cache-control': 'no-store', 'content-length': length },
    body: text,
  };
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function indexByName(files: Iterable<ServedFile>): Map<string, ServedFile> {
  const byName = new Map<string, ServedFile>();
  for (const file of files) {
    checkArgument('files', file, 'object');
    checkOptions(file, { name: 'text', owner: 'text', type: 'text', open: 'function' }, 'files');
    const { name } = file;
    if (!/^[^/]+$/.test(name) || name === '.' || name === '..' || RESERVED.includes(name)) {
      throw new RangeError(`files.name must be one that can be served, not ${JSON.stringify(name)}`);
    }
    if (byName.has(name)) throw new RangeError(`files must have names of their own, not ${JSON.stringify(name)} twice`);
    byName.set(name, file);
  }
  return byName;
}

/** Decodes a part of a path; an invalid escape stays as it is. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Compares with a secret in constant time. */
function equalsSecret(secret: string, text: string): boolean {
  let difference = secret.length ^ text.length;
  for (let index = 0; index < secret.length; index++) difference |= secret.charCodeAt(index) ^ text.charCodeAt(index);
  return difference === 0;
}

/** Only lower-case letters and digits: some firmware changes other characters. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';
/** Five bits each: 130 bits. */
const TOKEN_LENGTH = 26;

function tokens(secret: string): (purpose: string) => string {
  const key = bytesOf(secret);
  if (key.length < SHORTEST_SECRET) throw new RangeError(`secret must be at least ${SHORTEST_SECRET} bytes`);
  return (purpose) =>
    Array.from(hmac(sha256, key, bytesOf(purpose)).subarray(0, TOKEN_LENGTH), (byte) => LETTERS[byte % 32]).join('');
}
