import { IsoError } from '../errors.ts';

/** The parsed name of a container image. */
export interface ImageReference {
  /** The host, with the port if there is one. */
  readonly registry: string;
  readonly repository: string;
  readonly tag: string | undefined;
  /** `sha256:` and 64 digits; takes precedence over the tag. */
  readonly digest: string | undefined;
}

const HOST = /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:]+\])(?::\d{1,5})?$/;
const PART = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*$/;
const TAG = /^\w[\w.-]{0,127}$/;
const DIGEST = /^sha256:[0-9a-f]{64}$/;

/** Whether a text is a digest as registries write it. */
export function isDigest(text: unknown): text is string {
  return typeof text === 'string' && DIGEST.test(text);
}

/** Parses `HOST[:PORT]/REPOSITORY[:TAG][@DIGEST]`. Refuses short names, whose meaning depends on the machine. */
export function parseReference(text: string): ImageReference {
  const refuse = (why: string): IsoError =>
    new IsoError('ISO_BAD_REFERENCE', `${JSON.stringify(text)} is not the name of a container image: ${why}`);
  const [named = '', digest, ...more] = text.split('@');
  if (more.length > 0 || (digest !== undefined && !isDigest(digest))) {
    throw refuse('the text after the @ is not a SHA-256 digest');
  }
  const slash = named.indexOf('/');
  const registry = named.slice(0, Math.max(0, slash));
  // As in docker, a first part that cannot be a folder of the default registry is a host.
  if (!HOST.test(registry) || !(/[.:]/.test(registry) || registry === 'localhost')) {
    throw refuse('it does not begin with a registry, such as quay.io/');
  }
  const [, repository = '', tag] = /^([^:]*)(?::(.*))?$/s.exec(named.slice(slash + 1)) ?? [];
  if (!repository.split('/').every((part) => PART.test(part))) throw refuse('the name of the repository is invalid');
  if (tag !== undefined && !TAG.test(tag)) throw refuse('the tag is invalid');
  return { registry, repository, tag, digest };
}

/** Registry and repository, without tag and digest. */
export function placeOf({ registry, repository }: ImageReference): string {
  return `${registry}/${repository}`;
}

/** The tag or digest to request from a registry. */
export function versionOf({ tag = 'latest', digest }: ImageReference): string {
  return digest ?? tag;
}

export function formatReference(reference: ImageReference): string {
  const { tag, digest } = reference;
  if (digest !== undefined) return `${placeOf(reference)}@${digest}`;
  return `${placeOf(reference)}${tag === undefined ? '' : `:${tag}`}`;
}
