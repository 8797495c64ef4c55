import { stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { type ByteSource, bytesSource } from '@coreiso/iso';
import type { NodesPlan } from '@coreiso/openshift';
import { writeOutputs } from '@coreiso/openshift/node';
import { hideUsers } from '@coreiso/peers/hidden';
import { isSecretName } from '@coreiso/peers/secret-names';
import { alreadyExists, hasCode, inContext } from '../../frame/failure.ts';
import type { Terminal } from '../../frame/terminal.ts';
import { UsageError } from '../../frame/usage.ts';

interface Output {
  readonly name: string;
  readonly source: ByteSource;
}

/** An output and its path as the user would write it. */
export interface Target {
  readonly path: string;
  readonly source: ByteSource;
}

/** The report to write about a build. */
export interface Report {
  readonly contents: object;
  /** `beside-image`: `node.report.json` for `node.iso`; if the outputs are not one image, this is `report.json`, too. */
  readonly name: 'report.json' | 'beside-image';
}

interface TargetOptions {
  readonly output: string | undefined;
  readonly report: Report | undefined;
  readonly replace: boolean;
}

interface WriteOptions {
  readonly replace: boolean;
  /** Whether to wait for the disk. */
  readonly durable: boolean;
}

const ISO_NAME = /\.iso$/i;

/** Decides the path of every output; refuses an existing file before anything is written. */
export async function prepareTargets(
  terminal: Terminal,
  outputs: readonly Output[],
  { output, report, replace }: TargetOptions,
): Promise<Target[]> {
  const place = await placesIn(terminal, outputs, output);
  const targets = outputs.map(({ name, source }) => ({ path: place(name), source }));
  if (report !== undefined) {
    const source = bytesSource(new TextEncoder().encode(`${JSON.stringify(report.contents, null, 2)}\n`));
    const [image, ...others] = targets.filter(({ path }) => ISO_NAME.test(path));
    const isNamed = report.name === 'report.json' || image === undefined || others.length > 0;
    targets.push({ path: isNamed ? place('report.json') : image.path.replace(ISO_NAME, '.report.json'), source });
  }
  if (!replace) {
    for (const { path } of targets) {
      if (await exists(terminal, path)) throw alreadyExists([path]);
    }
  }
  return targets;
}

/**
 * Returns the path of an output by its name. A directory takes all outputs; a file takes the image or the only output, and
 * the other outputs go beside it.
 */
async function placesIn(
  terminal: Terminal,
  outputs: readonly Output[],
  output: string | undefined,
): Promise<(name: string) => string> {
  if (output === undefined) return (name) => name;
  const images = outputs.filter(({ name }) => ISO_NAME.test(name));
  const [named, ...others] = outputs.length === 1 || !ISO_NAME.test(output) ? outputs : images;
  const isFolder = output.endsWith('/') || (await isDirectory(terminal, output));
  if (!isFolder && ISO_NAME.test(output) && (named === undefined || others.length > 0)) {
    const count = named === undefined ? 'no ISO image' : `${images.length} ISO images`;
    throw new UsageError(`${output} names one ISO image, but there would be ${count}: name a directory, ending in /`);
  }
  if (isFolder || named === undefined || others.length > 0) return (name) => join(output, name);
  return (name) => (name === named.name ? output : join(dirname(output), name));
}

/** Writes everything or nothing. All targets are in one directory or below it. */
export async function writeTargets(
  terminal: Terminal,
  targets: readonly Target[],
  options: WriteOptions,
): Promise<void> {
  const [only, ...others] = targets;
  if (only === undefined) return;
  const folder = targets.map(({ path }) => dirname(path)).reduce((a, b) => (b.length < a.length ? b : a));
  const outputs = targets.map(({ path, source }) => ({ name: relative(folder, path).split(sep).join('/'), source }));
  const label = others.length === 0 ? only.path : `${targets.length} files to ${folder}`;
  const { signal } = terminal.io;
  await inContext(`cannot write ${label}`, () =>
    terminal.withProgress(`Writing ${label}`, (onProgress) =>
      writeOutputs({ outputs }, terminal.path(folder), { ...options, signal, onProgress }),
    ),
  );
}

async function isDirectory(terminal: Terminal, path: string): Promise<boolean> {
  return (await statOf(terminal, path))?.isDirectory() === true;
}

async function exists(terminal: Terminal, path: string): Promise<boolean> {
  return (await statOf(terminal, path)) !== undefined;
}

async function statOf(terminal: Terminal, path: string): Promise<Awaited<ReturnType<typeof stat>> | undefined> {
  try {
    return await stat(terminal.path(path));
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}

/** A credential in an image, and its expiry; null if that is unknown. */
export interface ImageCredential {
  readonly name: string;
  readonly expires: string | null;
}

/** The credentials in the images of a plan. */
export function imageCredentials({ service, credentials, statusToken, cluster, hosts }: NodesPlan): ImageCredential[] {
  const proxies = Object.values(cluster.proxy ?? {}).join(' ');
  const settings = hosts.flatMap(({ network }) =>
    (network?.profiles ?? []).flatMap(({ sections }) => sections.flatMap((section) => section.settings)),
  );
  const inImages: readonly (readonly [boolean, string, (string | undefined)?])[] = [
    [service !== undefined, 'pull secret'],
    [credentials !== undefined, 'service tokens', credentials?.tokens.expires],
    [statusToken !== undefined, 'status token'],
    [hideUsers(proxies) !== proxies, 'proxy password'],
    [settings.some(({ key }) => isSecretName(key)), 'network passwords'],
  ];
  return inImages.filter(([isThere]) => isThere).map(([, name, expires = null]) => ({ name, expires }));
}

/** Formats the credentials for people; empty if there are none. */
export function credentialLines(inImages: readonly ImageCredential[]): string[] {
  const words = inImages.map(({ name, expires }) => (expires === null ? name : `${name} (until ${expires})`));
  return words.length === 0 ? [] : [`Keep it safe, it holds credentials: ${words.join(', ')}.`];
}
