import { checkArgument, checkOptions } from '@coreiso/peers/arguments';
import { IsoError } from '../errors.ts';
import type { Architecture } from '../live/architecture.ts';
import { architectureNamed, Layers, openImage } from './layers.ts';
import { parseReference } from './reference.ts';
import { Registry, type RegistryOptions } from './registry.ts';

/** Options of reading a release. */
export interface ReleaseOptions extends RegistryOptions {
  /** The architecture, by either name (`aarch64`, `arm64`; default: `x86_64`). */
  readonly architecture?: string | undefined;
}

/** A release of OpenShift: a container image that names all others. */
export interface Release {
  /** `4.20.3` */
  readonly version: string;
  /** Digest of the image for the requested architecture. */
  readonly digest: string;
  readonly architecture: Architecture;
  /** The images of the release by their names in it, `machine-os-images` for one. */
  readonly images: ReadonlyMap<string, string>;
  /** The live image, as a stream from the registry. */
  liveIso(options?: {
    /** `rhel-9` or `rhel-10`; by default the stream that the release installs: `rhel-9` before OpenShift 5. */
    readonly stream?: string | undefined;
  }): Promise<ReleaseIso>;
  /** The manifest of ConfigMap `coreos-bootimages`, YAML with stream metadata; `undefined` if the release has none. */
  bootImages(): Promise<Uint8Array | undefined>;
}

/** The live image of a release. */
export interface ReleaseIso {
  readonly path: string;
  readonly size: number;
  /** The last bytes are withheld until the digest of their layer is verified. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Digest of the container image that holds it. */
  readonly image: string;
}

const REFERENCES = '/release-manifests/image-references';
const BOOT_IMAGES = '/release-manifests/0000_50_installer_coreos-bootimages.yaml';
/** Real manifests have 100 KB. */
const LONGEST_MANIFEST = 16 * 1024 * 1024;
const IMAGES = 'machine-os-images';
/** Prefixes of a stream's file names; CentOS files belong to OKD. */
const FILES: Readonly<Record<string, string>> = {
  'rhel-9': 'coreos',
  'rhel-10': 'coreos10',
  'centos-9': 'coreos',
  'centos-10': 'coreos10',
};

/**
 * Reads a release from a registry or a mirror. At a site without internet access, the release's live image is the only
 * available base.
 *
 * @example
 * ```ts
 * const release = await readRelease('quay.io/openshift-release-dev/ocp-release@sha256:…', { pullSecret, mirrors });
 * const { path, size, bytes } = await release.liveIso();
 * ```
 */
export async function readRelease(pullspec: string, options: ReleaseOptions = {}): Promise<Release> {
  checkArgument('pullspec', pullspec, 'text');
  checkOptions(options, {
    architecture: 'text',
    pullSecret: 'text',
    mirrors: 'array',
    insecureRegistries: 'texts',
    sha256: 'function',
    fetch: 'function',
    retries: 'number',
    timeout: 'number',
    minRate: 'number',
    onRetry: 'function',
    signal: 'signal',
  });
  const { architecture: named = 'x86_64' } = options;
  const architecture = architectureNamed(named);
  if (architecture === undefined)
    throw new RangeError(`architecture must be one that live images are for, not ${named}`);
  const registry = new Registry(options);
  const image = await openImage(registry, pullspec, architecture);
  const layers = new Layers(registry);
  const references = await layers.readSmall(image, REFERENCES, LONGEST_MANIFEST);
  if (references === undefined)
    throw new IsoError('ISO_NOT_FOUND', `${pullspec} is not a release: it has no ${REFERENCES}`);
  const { version, images } = parseReferences(references, pullspec);
  return {
    version,
    digest: image.digest,
    architecture,
    images,
    async liveIso(choice = {}) {
      checkOptions(choice, { stream: 'text' });
      const from = images.get(IMAGES);
      if (from === undefined) throw new IsoError('ISO_NOT_FOUND', `release ${version} has no ${IMAGES}`);
      const path = isoPath(choice.stream ?? defaultStream(version), architecture);
      const container = await openImage(registry, from, architecture);
      const iso = await layers.find(container, path);
      if (iso !== undefined) return { ...iso, image: container.digest };
      const advice = 'check its architecture, and the stream';
      throw new IsoError('ISO_NOT_FOUND', `release ${version} has no ${path} in ${IMAGES}: ${advice}`);
    },
    bootImages: async () => await layers.readSmall(image, BOOT_IMAGES, LONGEST_MANIFEST),
  };
}

/** The default stream of a release's installer. */
function defaultStream(version: string): string {
  return Number.parseInt(version, 10) >= 5 ? 'rhel-10' : 'rhel-9';
}

function isoPath(stream: string, architecture: Architecture): string {
  const name = Object.hasOwn(FILES, stream) ? FILES[stream] : undefined;
  if (name === undefined) throw new RangeError(`stream must be one of ${Object.keys(FILES).join(', ')}, not ${stream}`);
  return `/coreos/${name}-${architecture}.iso`;
}

interface References {
  readonly version: string;
  readonly images: ReadonlyMap<string, string>;
}

/** An ImageStream whose tags are the parts of the release. */
function parseReferences(bytes: Uint8Array, pullspec: string): References {
  try {
    const { metadata, spec } = JSON.parse(new TextDecoder().decode(bytes));
    const images = new Map<string, string>();
    for (const { name, from } of spec.tags) {
      parseReference(from.name);
      images.set(String(name), from.name);
    }
    return { version: String(metadata?.name ?? ''), images };
  } catch (cause) {
    throw new IsoError('ISO_BAD_METADATA', `${REFERENCES} of ${pullspec} cannot be read`, { cause });
  }
}
