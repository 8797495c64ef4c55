import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { CachedBase } from '@coreiso/iso/node';
import type { Arguments } from '../../frame/arguments.ts';
import type { Bases } from '../../frame/base.ts';
import { inContext } from '../../frame/failure.ts';
import { shownName } from '../../frame/source.ts';
import type { Terminal } from '../../frame/terminal.ts';

/** Real signatures have a few hundred bytes. */
const LONGEST = 1024 * 1024;

/**
 * Checks a file's signature, and removes the file from the cache if it is wrong. The metadata names the signature; without
 * metadata, it is the `.sig` beside the file.
 */
export async function checkSignature(
  file: {
    readonly location: string;
    readonly sha256?: string | undefined;
    readonly signature?: string | undefined;
  },
  found: CachedBase,
  bases: Bases,
  args: Arguments,
  terminal: Terminal,
): Promise<void> {
  const beside = file.sha256 === undefined;
  const address = beside ? `${file.location.replace(/[?#].*$/s, '')}.sig` : file.signature;
  if (address === undefined) return;
  const fetched = await fetchSignature(address, bases);
  if (typeof fetched === 'string') {
    if (beside) terminal.say(`Not verified: no digest was given. Its SHA-256 is ${found.sha256}`);
    else if (args.has('insecure')) terminal.say(`${shownName(address)}: ${fetched}; verified only the digest`);
    else {
      const advice = '--insecure takes the file by its digest alone';
      throw new Error(`cannot fetch the signature ${shownName(address)}: ${fetched}; ${advice}`);
    }
    return;
  }
  const { DetachedSignature, signingKeys } = await import('../../frame/signatures/verify.ts');
  const signature = await DetachedSignature.read(fetched, await signingKeys(terminal));
  const contents = Readable.toWeb(createReadStream(found.path)) as ReadableStream<Uint8Array>;
  const verdicts = (await signature?.verdicts(contents)) ?? [];
  for (const { outcome, key, signer } of verdicts) {
    if (outcome === 'good') continue;
    await rm(found.path, { force: true });
    const why = signer === undefined ? `by a key that is not trusted, ${key}` : `not that of ${signer.name}`;
    throw new Error(`the signature of ${shownName(file.location)} is ${why}: take it from its publisher`);
  }
  if (verdicts.length === 0) {
    await rm(found.path, { force: true });
    throw new Error(`${shownName(address)} is not an OpenPGP signature`);
  }
  for (const { signer } of verdicts) terminal.say(`Signed by ${signer?.name}`);
}

/** Fetches the signature, or returns why there is none. */
async function fetchSignature(address: string, bases: Bases): Promise<Uint8Array | string> {
  const { fetch, signal } = await bases.remote();
  try {
    return await inContext(shownName(address), async () => {
      const response = await fetch(address, { signal });
      const { readWhole } = await import('../../drop-in/download/http-get.ts');
      const bytes = await readWhole(response, LONGEST);
      return response.status === 200 ? bytes : `the server answered ${response.status}`;
    });
  } catch (error) {
    signal.throwIfAborted();
    return String((error as Error).cause instanceof Error ? ((error as Error).cause as Error).message : error);
  }
}
