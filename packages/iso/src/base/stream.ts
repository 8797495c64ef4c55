// Stream metadata: which images a stream of Fedora CoreOS, or a release of OpenShift, consists of.
import { checkArgument, checkOptions } from '@coreiso/peers/arguments';
import { IsoError } from '../errors.ts';
import { fetchText } from './fetch-text.ts';
import type { RemoteOptions } from './remote-options.ts';

/** A file of a stream. */
export interface StreamFile {
  /** As it is in file names: `x86_64`, `aarch64`, … */
  readonly architecture: string;
  /** What it is for: `metal`, `qemu`, `aws`, … */
  readonly artifact: string;
  /** `iso`, `pxe`, `raw.xz`, … */
  readonly format: string;
  /** `disk`, or of `pxe` one of `kernel`, `initramfs` and `rootfs`. */
  readonly part: string;
  readonly release: string;
  readonly location: string;
  /** Digest of the file as it is downloaded, 64 hexadecimal digits. */
  readonly sha256: string;
}

/** The files of a stream, in the order of the metadata. */
export interface Stream {
  /** `stable`, `rhcos-4.20`, … */
  readonly name: string;
  readonly files: readonly StreamFile[];
}

/** Where Fedora CoreOS tells of its streams: `stable.json` and others are in here. */
const STREAMS = 'https://builds.coreos.fedoraproject.org/streams/';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads stream metadata: JSON as Fedora CoreOS publishes it, `openshift-install coreos print-stream-json` prints it, or
 * the ConfigMap `coreos-bootimages` of a cluster holds it.
 *
 * @example
 * ```ts
 * const stream = parseStream(await readFile('stable.json', 'utf8'));
 * const { location, sha256 } = pickStreamFile(stream, { architecture: 'aarch64' });
 * ```
 */
export function parseStream(metadata: string | object): Stream {
  if (typeof metadata !== 'string') checkArgument('metadata', metadata, 'object');
  const value = typeof metadata === 'string' ? parseJson(metadata) : metadata;
  const data = fieldsOf(value)['data'];
  if (data !== undefined) return parseConfigMap(fieldsOf(data));
  const { stream, architectures } = fieldsOf(value);
  if (typeof stream !== 'string' || !isFields(architectures)) {
    throw bad('it has no members stream and architectures');
  }
  return { name: stream, files: Object.entries(architectures).flatMap(([name, each]) => filesOf(name, each)) };
}

function parseConfigMap({ stream }: Fields): Stream {
  if (typeof stream !== 'string') throw bad('the ConfigMap has no text data.stream');
  const value = parseJson(stream);
  // A ConfigMap within a ConfigMap would have no end.
  if ('data' in fieldsOf(value)) throw bad('data.stream of the ConfigMap is no stream');
  return parseStream(fieldsOf(value));
}

function filesOf(architecture: string, value: unknown): StreamFile[] {
  return entriesOf(fieldsOf(value)['artifacts']).flatMap(([artifact, described]) => {
    const { release, formats } = fieldsOf(described);
    return entriesOf(formats).flatMap(([format, parts]) =>
      entriesOf(parts).flatMap(([part, file]) => {
        const { location, sha256 } = fieldsOf(file);
        const where = `${architecture}.${artifact}.${format}.${part}`;
        if (typeof location !== 'string' || !/^https?:\/\//i.test(location)) throw bad(`${where} has no address`);
        if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/i.test(sha256)) throw bad(`${where} has no SHA-256 digest`);
        const digest = sha256.toLowerCase();
        return [{ architecture, artifact, format, part, release: String(release ?? ''), location, sha256: digest }];
      }),
    );
  });
}

/**
 * The one file of a stream that is meant: by default the live ISO image for x86_64.
 *
 * @example
 * ```ts
 * const { location, sha256 } = pickStreamFile(await fetchStream('stable'));
 * ```
 */
export function pickStreamFile(
  stream: Stream,
  choice: {
    readonly architecture?: string | undefined;
    readonly artifact?: string | undefined;
    readonly format?: string | undefined;
    readonly part?: string | undefined;
  } = {},
): StreamFile {
  checkArgument('stream', stream, 'object');
  checkArgument('stream.files', stream.files, 'array');
  checkOptions(choice, { architecture: 'text', artifact: 'text', format: 'text', part: 'text' });
  const { architecture = 'x86_64', artifact = 'metal', format = 'iso' } = choice;
  const wanted = { architecture, artifact, format, part: choice.part ?? 'disk' };
  let left = stream.files;
  for (const key of ['architecture', 'artifact', 'format', 'part'] as const) {
    const found = left.filter((file) => file[key] === wanted[key]);
    if (found.length === 0) {
      const there = [...new Set(left.map((file) => file[key]))].join(', ') || 'nothing';
      throw new IsoError('ISO_NOT_FOUND', `stream ${stream.name} has no ${key} ${wanted[key]}, but ${there}`);
    }
    left = found;
  }
  return left[0] as StreamFile;
}

/**
 * The metadata of a Fedora CoreOS stream (`stable`, `testing`, `next`), or what an address leads to.
 *
 * @example
 * ```ts
 * const stream = await fetchStream('stable');
 * const base = await httpSource(pickStreamFile(stream).location);
 * ```
 */
export async function fetchStream(
  nameOrUrl: string,
  options: RemoteOptions & {
    /** The folder of `NAME.json`, where that is not Fedora's. */
    readonly baseUrl?: string | undefined;
  } = {},
): Promise<Stream> {
  checkArgument('nameOrUrl', nameOrUrl, 'text');
  checkOptions(options, {
    baseUrl: 'text',
    fetch: 'function',
    retries: 'number',
    timeout: 'number',
    minRate: 'number',
    signal: 'signal',
  });
  const isUrl = /^https?:\/\//i.test(nameOrUrl);
  if (!isUrl && !/^[\w][\w.-]*$/.test(nameOrUrl))
    throw new RangeError('nameOrUrl must be the name or the address of a stream');
  const folder = options.baseUrl ?? STREAMS;
  const url = isUrl ? nameOrUrl : `${folder.replace(/\/*$/, '/')}${nameOrUrl}.json`;
  return parseStream(await fetchText(url, options));
}

function parseJson(text: string): object {
  try {
    return fieldsOf(JSON.parse(text));
  } catch (cause) {
    throw bad('it is no JSON object', cause);
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fieldsOf(value: unknown): Fields {
  if (!isFields(value)) throw bad('a member that should be an object is none');
  return value;
}

function entriesOf(value: unknown): [string, unknown][] {
  return value === undefined ? [] : Object.entries(fieldsOf(value));
}

function bad(why: string, cause?: unknown): IsoError {
  return new IsoError('ISO_BAD_STREAM', `this is no stream metadata: ${why}`, cause === undefined ? {} : { cause });
}
