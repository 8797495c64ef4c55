// Stream metadata: the images of a Fedora CoreOS stream or an OpenShift release.
import { checkArgument, checkOptions } from '@coreiso/peers/arguments';
import { IsoError } from '../errors.ts';
import type { RemoteOptions } from '../http/remote-options.ts';
import { fetchText } from './fetch-text.ts';

/** A file of a stream. */
export interface StreamFile {
  /** As in file names: `x86_64`, `aarch64`, … */
  readonly architecture: string;
  /** The platform: `metal`, `qemu`, `aws`, … */
  readonly artifact: string;
  /** `iso`, `pxe`, `raw.xz`, … */
  readonly format: string;
  /** `disk`, or for `pxe` one of `kernel`, `initramfs` and `rootfs`. */
  readonly part: string;
  readonly release: string;
  readonly location: string;
  /** Digest of the downloaded file, 64 hexadecimal digits. */
  readonly sha256: string;
  /** The address of its detached OpenPGP signature, if it has one. */
  readonly signature?: string | undefined;
}

/** The files of a stream, in the order of the metadata. */
export interface Stream {
  /** `stable`, `rhcos-4.20`, … */
  readonly name: string;
  readonly files: readonly StreamFile[];
  /**
   * Files that are missing from `files`, by `ARCHITECTURE.ARTIFACT.FORMAT.PART`, with the reason why they cannot be
   * used.
   */
  readonly unusable: Readonly<Record<string, string>>;
  /** Further streams in the ConfigMap of a cluster: `rhel-9`, `rhel-10`, … Empty elsewhere, and before OpenShift 4.22. */
  readonly osStreams: readonly string[];
}

/** The folder of Fedora CoreOS stream metadata: `stable.json` and others. */
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
export function parseStream(
  metadata: string | object,
  options: {
    /**
     * The stream to read from a ConfigMap that has several, `rhel-9` or `rhel-10` (default: the ConfigMap's default
     * stream).
     */
    readonly osStream?: string | undefined;
  } = {},
): Stream {
  if (typeof metadata !== 'string') checkArgument('metadata', metadata, 'object');
  checkOptions(options, { osStream: 'text' });
  const { osStream } = options;
  const value = fieldsOf(typeof metadata === 'string' ? parseJson(metadata) : metadata);
  const { data } = value;
  if (data !== undefined) return parseConfigMap(fieldsOf(data), osStream);
  const stream = parseOne(value);
  const [, family] = /^((?:rhel|centos)-\d+)\b/.exec(stream.name) ?? [];
  if (osStream !== undefined && family !== undefined && family !== osStream) {
    throw wrongStreamError(stream.name, osStream, `take the one of ${osStream}`);
  }
  return stream;
}

/** One stream as text under `stream` and, since OpenShift 4.22, all of them by name under `streams`. */
function parseConfigMap({ stream, streams }: Fields, osStream: string | undefined): Stream {
  const all = typeof streams === 'string' ? parseJson(streams) : {};
  const osStreams = Object.keys(all);
  if (osStream !== undefined && osStreams.length > 0) {
    if (Object.hasOwn(all, osStream)) return { ...parseOne(fieldsOf(all[osStream])), osStreams };
    const there = osStreams.join(', ');
    throw new IsoError('ISO_NOT_FOUND', `the ConfigMap has no OS stream ${osStream}, but ${there}`);
  }
  if (typeof stream !== 'string') throw streamError('the ConfigMap has no text data.stream');
  // Nested ConfigMaps could recurse endlessly.
  const value = parseJson(stream);
  if ('data' in value) throw streamError('data.stream of the ConfigMap is not stream metadata');
  return { ...parseStream(value, { osStream }), osStreams };
}

function parseOne({ stream, architectures }: Fields): Stream {
  if (typeof stream !== 'string' || !isFields(architectures)) {
    throw streamError('it has no members stream and architectures');
  }
  const files: StreamFile[] = [];
  const unusable: [string, string][] = [];
  for (const [architecture, value] of Object.entries(architectures)) {
    for (const [artifact, described] of entriesOf(fieldsOf(value)['artifacts'])) {
      const { release, formats } = fieldsOf(described);
      for (const [format, parts] of entriesOf(formats)) {
        for (const [part, file] of entriesOf(parts)) {
          const place = { architecture, artifact, format, part };
          const read = isFields(file) ? parseFile(file) : 'it is not an object';
          if (typeof read === 'string') unusable.push([nameOf(place), read]);
          else files.push({ ...place, release: String(release ?? ''), ...read });
        }
      }
    }
  }
  return { name: stream, files, unusable: Object.fromEntries(unusable), osStreams: [] };
}

/** The file to fetch, or why it cannot be used; other files of the stream are not affected. */
function parseFile({
  location,
  sha256,
  signature,
}: Fields): Pick<StreamFile, 'location' | 'sha256' | 'signature'> | string {
  if (!isAddress(location)) return 'it has no address';
  if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/i.test(sha256)) return 'it has no SHA-256 digest';
  return { location, sha256: sha256.toLowerCase(), ...(isAddress(signature) ? { signature } : {}) };
}

function isAddress(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\//i.test(value);
}

function nameOf({ architecture, artifact, format, part }: Omit<StreamFile, 'release' | 'location' | 'sha256'>): string {
  return `${architecture}.${artifact}.${format}.${part}`;
}

/**
 * Picks one file of a stream (default: the live ISO image for x86_64).
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
  const name = nameOf(wanted);
  const reason = stream.unusable?.[name];
  if (reason !== undefined) {
    throw new IsoError('ISO_BAD_STREAM', `${name} of stream ${stream.name} cannot be used: ${reason}`);
  }
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
 * Fetches the metadata of a Fedora CoreOS stream (`stable`, `testing`, `next`), or from an address.
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
    /** The folder of `NAME.json` (default: Fedora's). */
    readonly baseUrl?: string | undefined;
    /** As for `parseStream`. */
    readonly osStream?: string | undefined;
  } = {},
): Promise<Stream> {
  checkArgument('nameOrUrl', nameOrUrl, 'text');
  checkOptions(options, {
    baseUrl: 'text',
    osStream: 'text',
    fetch: 'function',
    retries: 'number',
    timeout: 'number',
    minRate: 'number',
    onRetry: 'function',
    signal: 'signal',
  });
  const isUrl = /^https?:\/\//i.test(nameOrUrl);
  if (!isUrl && !/^[\w][\w.-]*$/.test(nameOrUrl))
    throw new RangeError('nameOrUrl must be the name or the address of a stream');
  const { osStream, baseUrl: folder = STREAMS } = options;
  const url = isUrl ? nameOrUrl : `${folder.replace(/\/*$/, '/')}${nameOrUrl}.json`;
  const stream = parseStream(await fetchText(url, options), { osStream });
  // A misconfigured mirror may serve another stream, whose digests all match.
  if (isUrl || stream.name === nameOrUrl) return stream;
  throw wrongStreamError(stream.name, nameOrUrl, 'to use it, give its address instead of its name');
}

function wrongStreamError(found: string, asked: string, advice: string): IsoError {
  return new IsoError('ISO_BAD_STREAM', `this is the metadata of stream ${found}, not of ${asked}: ${advice}`);
}

function parseJson(text: string): Fields {
  try {
    return fieldsOf(JSON.parse(text));
  } catch (cause) {
    throw streamError('it is not a JSON object', cause);
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fieldsOf(value: unknown): Fields {
  if (!isFields(value)) throw streamError('a member that should be an object is not one');
  return value;
}

function entriesOf(value: unknown): [string, unknown][] {
  return value === undefined ? [] : Object.entries(fieldsOf(value));
}

function streamError(why: string, cause?: unknown): IsoError {
  return new IsoError('ISO_BAD_STREAM', `this is not stream metadata: ${why}`, cause === undefined ? {} : { cause });
}
