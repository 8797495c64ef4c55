import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { formatDiagnostics } from '@coreiso/diagnostics';
import { IsoError } from '@coreiso/iso';
import type { RegistryMirror, Stream } from '@coreiso/iso/base';
import type { Fetch, HttpSourceOptions } from '@coreiso/iso/http';
import { type BaseCache, baseCache, type CachedBase } from '@coreiso/iso/node';
import type { ClusterDirectory, ClusterFacts } from '@coreiso/nodes-config';
import { rpmName } from '@coreiso/peers/go';
import type { Arguments } from './arguments.ts';
import { Failure } from './failure.ts';
import { readNamed } from './input.ts';
import { readSecretText, warnIfShared } from './secret-file.ts';
import { sizeText } from './size.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage.ts';

/** A cluster's facts about its base image and registries; `ClusterFacts` fits. */
export interface BaseFacts
  extends Pick<
    ClusterFacts,
    | 'version'
    | 'releaseImage'
    | 'pullSecret'
    | 'trustBundle'
    | 'registryTrust'
    | 'insecureRegistries'
    | 'internalRegistry'
    | 'osStream'
  > {
  readonly imageDigestMirrors?: readonly RegistryMirror[];
  readonly repositoryDigestMirrors?: readonly RegistryMirror[];
  readonly bootImages?: ClusterFacts['bootImages'];
  /** The machines' architecture, as `x86_64` or `amd64`. */
  readonly architecture?: string | undefined;
}

/** Whether to announce the image, and how often to retry. */
interface LocateOptions {
  readonly isAnnounced: boolean;
  readonly retries?: number | undefined;
}

/** A file on a server and its digest. */
interface FileWithDigest {
  readonly location: string;
  readonly sha256: string;
}

interface FetchOptions {
  readonly fetch: Fetch;
  readonly signal: AbortSignal;
  readonly onFetch: (about: { readonly size: number | undefined }) => void;
  readonly onProgress: (progress: { done: number; total: number }) => void;
}

/** The place of a base image. */
export type FoundBase =
  | { readonly kind: 'file'; readonly path: string; readonly name: string }
  | { readonly kind: 'address'; readonly address: string; readonly name: string };

/** The mirrors in `registries.conf`. */
export function registryMirrors(registries: readonly ClusterDirectory['registries'][number][]): {
  readonly mirrors: readonly RegistryMirror[];
  /** Registries to contact without encryption. */
  readonly insecure: readonly string[];
} {
  return {
    mirrors: registries.map(({ location, prefix, mirrors, digestOnly, blocked }) => ({
      source: prefix ?? location,
      mirrors,
      tags: digestOnly !== true,
      ...(location === '' ? {} : { location }),
      ...(blocked === true ? { sourcePolicy: 'NeverContactSource' } : {}),
    })),
    insecure: registries.flatMap(({ insecure = [] }) => insecure.map((place) => place.replace(/\/.*$/, ''))),
  };
}

/** Finds base images by the command line, the environment and the cluster facts. */
export class Bases {
  readonly #terminal: Terminal;
  readonly #args: Arguments | undefined;
  readonly #facts: BaseFacts;
  #fetch: Promise<Fetch> | undefined;

  constructor(terminal: Terminal, args?: Arguments, facts: BaseFacts = {}) {
    this.#terminal = terminal;
    this.#args = args;
    this.#facts = facts;
  }

  get architecture(): string {
    return this.#setting('architecture', 'COREISO_ARCHITECTURE') ?? rpmName(this.#facts.architecture || 'amd64');
  }

  /**
   * The operating system stream that was requested or that new machines of the cluster get; undefined to let the release
   * decide.
   */
  get osStream(): string | undefined {
    return this.#args?.optional('os-stream') ?? (this.#facts.osStream || undefined);
  }

  /** Opens the cache of base images. */
  async cache(): Promise<BaseCache> {
    const { env } = this.#terminal.io;
    const given = this.#setting('cache-dir', 'COREISO_CACHE');
    const folder = given ?? join(env['XDG_CACHE_HOME'] || join(env['HOME'] || homedir(), '.cache'), 'coreiso');
    return baseCache(this.#terminal.path(folder), { verify: this.#args?.has('verify') ?? false });
  }

  /** Reads a stream by the text after `stream:`: a name, an address or a file. */
  async stream(spec: string): Promise<Stream> {
    const { fetchStream, parseStream } = await import('@coreiso/iso/base');
    const named = spec.replace(/^stream:/, '');
    if (named === '') throw new UsageError('expected a name or a file after stream:, such as stream:stable');
    if (!/^https?:\/\//i.test(named) && (/[/\\]|\.(?:json|ya?ml)$/.test(named) || named === '-')) {
      const { parseValues } = await import('./values.ts');
      const [value] = parseValues(await readNamed(this.#terminal, named), named);
      return parseStream((value ?? {}) as object, { osStream: this.osStream });
    }
    const baseUrl = this.#setting('stream-base-url', 'COREISO_STREAM_BASE_URL');
    return fetchStream(named, { ...(await this.remote()), baseUrl, osStream: this.osStream });
  }

  /** Returns the options for requests to servers. */
  async remote(): Promise<{
    readonly fetch: Fetch;
    readonly signal: AbortSignal;
    readonly minRate?: number;
    readonly onRetry: NonNullable<HttpSourceOptions['onRetry']>;
  }> {
    this.#fetch ??= this.#trustingFetch();
    const minRate = this.#minRate();
    return {
      fetch: await this.#fetch,
      signal: this.#terminal.io.signal,
      ...(minRate !== undefined && { minRate }),
      onRetry: ({ address, reason, attempt, attempts }) =>
        this.#terminal.say(`${address}: ${reason}; trying again (${attempt} of ${attempts})`),
    };
  }

  /** Returns the release that `release:` names; without a name, the cluster's. */
  pullspec(spec: string): string {
    const named = spec.replace(/^release:/, '') || this.#facts.releaseImage;
    if (named !== undefined) return named;
    throw new UsageError('expected a release image after release:, or cluster facts that name one');
  }

  /** Returns the options for requests to registries. */
  async registry(): Promise<{
    readonly pullSecret?: string;
    readonly mirrors: readonly RegistryMirror[];
    readonly insecureRegistries: readonly string[];
    readonly architecture: string;
  }> {
    const { imageDigestMirrors, repositoryDigestMirrors, insecureRegistries = [] } = this.#facts;
    const pullSecret = await this.#pullSecret();
    const conf = await this.#registriesConf();
    return {
      ...(pullSecret === undefined ? {} : { pullSecret }),
      mirrors: [...conf.mirrors, ...(imageDigestMirrors ?? repositoryDigestMirrors ?? [])],
      insecureRegistries: [
        ...(this.#args?.has('insecure') ? ['*'] : []),
        ...(this.#args?.list('insecure-registry') ?? []),
        ...insecureRegistries,
        ...conf.insecure,
      ],
      architecture: this.architecture,
    };
  }

  /** Finds the image of a stream or a release. With `read`, an image that is not in the cache stays on its server. */
  async take(spec: string, use: 'read' | 'whole'): Promise<FoundBase> {
    if (spec.startsWith('release:')) {
      const { path } = await this.#release(this.pullspec(spec), { isAnnounced: spec === 'release:' });
      return { kind: 'file', path, name: `coreos-${this.architecture}.iso` };
    }
    const { pickStreamFile } = await import('@coreiso/iso/base');
    const { location, sha256 } = pickStreamFile(await this.stream(spec), { architecture: this.architecture });
    const name = basename(new URL(location).pathname);
    const here = (await this.cache()).find(sha256);
    if (here !== undefined) return { kind: 'file', path: here.path, name };
    if (use === 'read') return { kind: 'address', address: location, name };
    const { path } = await this.#download({ location, sha256 }, { isAnnounced: false });
    return { kind: 'file', path, name };
  }

  /** Finds the cluster's image: from its release, else the boot image that the cluster names for new machines. */
  async takeOwn(): Promise<CachedBase> {
    const { releaseImage } = this.#facts;
    const other = this.#bootImage();
    if (releaseImage !== undefined) {
      try {
        // If there is an alternative, one retry is enough.
        return await this.#release(releaseImage, { isAnnounced: true, ...(other && { retries: 1 }) });
      } catch (error) {
        const isElsewhere = error instanceof IsoError && ['ISO_REMOTE', 'ISO_NOT_FOUND'].includes(error.code);
        if (other === undefined || !isElsewhere) throw this.#withRoad(error);
        this.#terminal.say(`${error.message}; using the boot image that the cluster names`);
      }
    }
    if (other !== undefined) return await this.#download(other, { isAnnounced: true });
    throw new UsageError('no live image to build on: pass --base, or the cluster with --live or --cluster');
  }

  /** Explains that a release in the cluster's internal registry is out of reach from here. */
  #withRoad(error: unknown): unknown {
    const { internalRegistry } = this.#facts;
    const isFar = error instanceof IsoError && error.code === 'ISO_REMOTE';
    if (internalRegistry === undefined || !isFar) return error;
    return new Failure(`the release is in the registry of the cluster, ${internalRegistry}`, {
      help: 'make that registry reachable from here, or pass --base',
      cause: error,
    });
  }

  async #release(pullspec: string, how: LocateOptions): Promise<CachedBase> {
    const options = { ...(await this.registry()), stream: this.osStream };
    return await this.#obtain(`release:${pullspec}`, how, (cache, remote) =>
      cache.release(pullspec, { ...options, ...remote }),
    );
  }

  async #download({ location, sha256 }: FileWithDigest, how: LocateOptions): Promise<CachedBase> {
    const { origin, pathname } = new URL(location);
    return await this.#obtain(`${origin}${pathname}`, how, (cache, remote) =>
      cache.download(location, { ...remote, sha256 }),
    );
  }

  /** Finds or fetches an image. Before the download, says which image it is and how large. */
  async #obtain(
    origin: string,
    { isAnnounced: told, ...attempts }: LocateOptions,
    work: (cache: BaseCache, options: FetchOptions) => Promise<CachedBase>,
  ): Promise<CachedBase> {
    const cache = await this.cache();
    const remote = { ...(await this.remote()), ...attempts };
    const what = `the ${[this.osStream, this.architecture].filter(Boolean).join(' ')} live image of ${origin}`;
    let isHere = true;
    const onFetch: FetchOptions['onFetch'] = ({ size }) => {
      const length = size === undefined ? '' : `, ${sizeText(size)}`;
      if (told && isHere) this.#terminal.say(`Fetching ${what}${length}, into the cache`);
      isHere = false;
    };
    const found = await this.#terminal
      .withProgress(`Fetching ${origin}`, (onProgress) => work(cache, { ...remote, onFetch, onProgress }))
      .catch((error: unknown) => {
        const isFull = error instanceof IsoError && error.code === 'ISO_NO_SPACE';
        const help = 'make room there, or pass another directory with --cache-dir';
        throw isFull ? new Failure('the cache of base images is full', { help, cause: error }) : error;
      });
    if (told && isHere) this.#terminal.say(`Using ${what}, ${sizeText(found.size)}, from the cache`);
    return found;
  }

  /** Returns the cluster's boot image for these machines. */
  #bootImage(): FileWithDigest | undefined {
    const { bootImages = [], version = '' } = this.#facts;
    const stream = this.osStream ?? (Number.parseInt(version, 10) >= 5 ? 'rhel-10' : 'rhel-9');
    return bootImages.find(
      (image) => image.architecture === this.architecture && [stream, undefined].includes(image.stream),
    );
  }

  #setting(option: string, variable: string): string | undefined {
    return this.#args?.optional(option) ?? (this.#terminal.io.env[variable] || undefined);
  }

  /** Returns the lowest accepted transfer rate in bytes per second, if the environment sets it. */
  #minRate(): number | undefined {
    const given = this.#terminal.io.env['COREISO_MIN_RATE'] || undefined;
    if (given === undefined) return undefined;
    if (/^\d{1,9}$/.test(given)) return Number(given);
    throw new UsageError('COREISO_MIN_RATE: expected bytes per second, such as 200');
  }

  /** Returns the given pull secret, else the cluster's, else that of podman or docker. */
  async #pullSecret(): Promise<string | undefined> {
    const { env } = this.#terminal.io;
    const given = this.#setting('registry-config', 'REGISTRY_AUTH_FILE');
    if (given !== undefined) return await readSecretText(this.#terminal, given);
    if (this.#facts.pullSecret !== undefined) return this.#facts.pullSecret;
    const home = env['HOME'] || homedir();
    const places = [
      ...(env['XDG_RUNTIME_DIR'] ? [join(env['XDG_RUNTIME_DIR'], 'containers', 'auth.json')] : []),
      join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'containers', 'auth.json'),
      join(env['DOCKER_CONFIG'] || join(home, '.docker'), 'config.json'),
    ];
    const found = places.find((place) => existsSync(place));
    const text = found === undefined ? undefined : readFileSync(found, 'utf8');
    // A docker config without registries is not a pull secret.
    if (found === undefined || text?.includes('"auths"') !== true) return undefined;
    warnIfShared(this.#terminal, found);
    return text;
  }

  async #registriesConf(): Promise<ReturnType<typeof registryMirrors>> {
    const file = this.#setting('registries-conf', 'CONTAINERS_REGISTRIES_CONF');
    if (file === undefined) return { mirrors: [], insecure: [] };
    const { readRegistries } = await import('@coreiso/nodes-config');
    const reading = readRegistries(await this.#text(file));
    if (!reading.ok) throw new Error(formatDiagnostics(reading.diagnostics, { file }));
    return registryMirrors(reading.value);
  }

  async #certificates(file: string): Promise<string> {
    const text = await this.#text(file);
    if (!text.includes('-----BEGIN CERTIFICATE-----')) throw new Error(`${file} has no PEM certificate`);
    return text;
  }

  async #text(file: string): Promise<string> {
    const { readText } = await import('./text.ts');
    return await readText(this.#terminal, file);
  }

  /** Returns the platform's `fetch`, or one that trusts additional certificates. */
  async #trustingFetch(): Promise<Fetch> {
    const file = this.#args?.optional('certificate-authority') ?? this.#setting('registry-ca', 'COREISO_REGISTRY_CA');
    const { trustBundle, registryTrust = {} } = this.#facts;
    const given = file === undefined ? [] : [await this.#certificates(file)];
    const extra = [...given, ...(trustBundle ? [trustBundle] : []), ...Object.values(registryTrust)];
    if (extra.length === 0) return (url, init) => globalThis.fetch(url, init);
    const { Agent, fetch } = await import('undici');
    const { rootCertificates } = await import('node:tls');
    const dispatcher = new Agent({ connect: { ca: [...rootCertificates, ...extra] } });
    return async (url, init) => {
      const request = { ...init, dispatcher } as Parameters<typeof fetch>[1];
      return (await fetch(url, request)) as unknown as Response;
    };
  }
}
