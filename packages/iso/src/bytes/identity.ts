import type { ByteSource } from './source.ts';

/** Tells what a source holds without reading it; fails where that is no longer what it was. */
export type Identify = (signal?: AbortSignal) => Promise<string | undefined>;

const identities = new WeakMap<ByteSource, Identify>();

/** Gives `source` a name that stands for its bytes: never one name for two contents, and one wherever they are the same file. */
export function setIdentity(source: ByteSource, identify: Identify): void {
  identities.set(source, identify);
}

/** The name of what `source` holds, or `undefined` where nobody can tell. */
export async function identityOf(source: ByteSource, signal?: AbortSignal): Promise<string | undefined> {
  return identities.get(source)?.(signal);
}
