import type { BigIntStats } from 'node:fs';
import { copyFile, link, mkdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { WorkOptions } from '@coreiso/iso';
import { writeCopy } from '@coreiso/iso/node';
import { checkArgument } from '@coreiso/peers/arguments';
import { localNameFault } from '@coreiso/peers/file-name';
import { OpenshiftError } from '../errors.ts';
import type { NamedOutput } from '../images/changes.ts';
import { makeStaging, removeStaging } from './staging.ts';
import { syncNames } from './sync-names.ts';

/** Images contain secrets: the pull secret, keys, network passwords. */
const PRIVATE = 0o600;
/** Prefix of the directory for incomplete files. */
const STAGING = '.coreiso-staging-';

/** Options of writing outputs. */
export interface WriteOutputsOptions extends WorkOptions {
  /** Whether files of the same names may be replaced. */
  readonly replace?: boolean | undefined;
  /** Whether to sync files to disk, so that they survive a power loss. */
  readonly durable?: boolean | undefined;
}

/**
 * Writes all outputs of an image into a directory, readable only by their owner, and returns their paths. They appear under their
 * names when the last one is complete, or none does: earlier files then stay unchanged, and a directory that this call made is
 * removed. A name may contain directories: `boot-artifacts/node.x86_64-rootfs.img`. The next run removes the remains of a killed
 * one.
 *
 * @example await writeOutputs(await buildNodesImage(base, plan), '/srv/images')
 */
export async function writeOutputs(
  built: { readonly outputs: readonly NamedOutput[] },
  directory: string,
  options: WriteOutputsOptions = {},
): Promise<string[]> {
  checkArgument('built.outputs', built?.outputs, 'array');
  checkArgument('directory', directory, 'text');
  checkArgument('options', options, 'object');
  const { outputs } = built;
  checkNames(outputs);
  const { replace = false } = options;
  if (!replace) await refuseExisting(outputs, directory);
  const made = await makeFolder(directory);
  try {
    // Files that cannot be removed stay: they may belong to another user.
    await removeStaging(directory, STAGING).catch(() => undefined);
    const staging = await makeStaging(directory, STAGING);
    try {
      await writeAll(outputs, staging, options);
      return await publish(outputs, staging, directory, options);
    } finally {
      // Remains do no harm, and the outputs are complete.
      await rm(staging, { recursive: true }).catch(() => undefined);
    }
  } catch (error) {
    if (made !== undefined) await rm(made, { recursive: true, force: true });
    throw error;
  }
}

async function makeFolder(directory: string): Promise<string | undefined> {
  try {
    return await mkdir(directory, { recursive: true });
  } catch (cause) {
    throw new OpenshiftError('OPENSHIFT_NO_FOLDER', `cannot make the folder ${directory}`, { cause });
  }
}

function checkNames(outputs: readonly NamedOutput[]): void {
  const isBad = (part: string): boolean =>
    basename(part) !== part || localNameFault(part, process.platform) !== undefined;
  const stray = outputs.find(({ name }) => name.split('/').some(isBad));
  if (stray !== undefined) throw new TypeError(`built.outputs must have file names, not ${JSON.stringify(stray.name)}`);
}

async function refuseExisting(outputs: readonly NamedOutput[], directory: string): Promise<void> {
  for (const { name } of outputs) if (await pathExists(join(directory, name))) throw exists(directory, name);
}

function exists(directory: string, name: string, cause?: unknown): OpenshiftError {
  return new OpenshiftError('OPENSHIFT_OUTPUT_EXISTS', `${join(directory, name)} exists`, { cause, file: name });
}

async function writeAll(outputs: readonly NamedOutput[], staging: string, options: WriteOutputsOptions): Promise<void> {
  const { durable = false, signal, onProgress } = options;
  const total = outputs.reduce((sum, { source }) => sum + source.size, 0);
  let before = 0;
  for (const [index, { source }] of outputs.entries()) {
    await writeCopy(source, join(staging, `${index}`), {
      mode: PRIVATE,
      durable,
      signal,
      onProgress: ({ done }) => onProgress?.({ done: before + done, total }),
    });
    before += source.size;
  }
  signal?.throwIfAborted();
}

/** Moves complete files into place; undoes all moves if one fails. A replaced name always has a file. */
async function publish(
  outputs: readonly NamedOutput[],
  staging: string,
  directory: string,
  { replace = false, durable = false }: WriteOutputsOptions,
): Promise<string[]> {
  const paths = outputs.map(({ name }) => join(directory, name));
  const undo: (() => Promise<void>)[] = [];
  try {
    for (const [index, { name }] of outputs.entries()) {
      const [from, path, old] = [join(staging, `${index}`), join(directory, name), join(staging, `${index}.old`)];
      const made = await makeFolder(dirname(path));
      if (made !== undefined) undo.unshift(() => rm(made, { recursive: true, force: true }));
      if (replace && (await pathExists(path))) {
        undo.unshift(async () => {
          if (await pathExists(old)) await rename(old, path);
        });
        await linkOrCopy(path, old);
        await rename(from, path);
        continue;
      }
      await place(from, directory, name);
      undo.unshift(() => rm(path, { force: true }));
    }
    if (durable) await syncNames(paths);
    return paths;
  } catch (error) {
    // Undo as much as possible, whatever else fails.
    for (const step of undo) await step().catch(() => undefined);
    throw error;
  }
}

/** Gives a file a second name, or copies it if there are no links. */
async function linkOrCopy(path: string, old: string): Promise<void> {
  try {
    await link(path, old);
  } catch {
    await copyFile(path, old);
  }
}

/** A link cannot replace a file that appeared meanwhile; file systems without links are checked before. */
async function place(from: string, directory: string, name: string): Promise<void> {
  const path = join(directory, name);
  try {
    await link(from, path);
  } catch (cause) {
    if (await isSameFile(from, path)) {
      // The link was made although the call failed.
      await rm(path, { force: true });
      throw cause;
    }
    if (hasCode(cause, 'EEXIST') || (await pathExists(path))) throw exists(directory, name, cause);
    try {
      await rename(from, path);
    } catch (error) {
      // The file was moved although the call failed: no other process takes files out of the staging directory.
      if (!(await pathExists(from))) await rm(path, { force: true });
      throw error;
    }
  }
}

async function isSameFile(one: string, other: string): Promise<boolean> {
  const [first, second] = [await statusOf(one), await statusOf(other)];
  return first !== undefined && first.dev === second?.dev && first.ino === second.ino;
}

async function pathExists(path: string): Promise<boolean> {
  return (await statusOf(path)) !== undefined;
}

async function statusOf(path: string): Promise<BigIntStats | undefined> {
  try {
    return await stat(path, { bigint: true });
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return undefined;
    throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
