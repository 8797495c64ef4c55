import { begin, end, SeenCoverage } from './coverage.ts';
import { execute, signatureOf } from './loop.ts';
import { seedsOf, type Target } from './target.ts';

/** The smallest input that still breaks a property in the same way, found by leaving out parts. */
export async function minimiseInput(target: Target, input: Uint8Array, most = 3000): Promise<Uint8Array> {
  const wanted = await broken(target, input);
  if (wanted === undefined) return input;
  let [smallest, left] = [input, most];
  const isSame = async (tried: Uint8Array) => left-- > 0 && (await broken(target, tried)) === wanted;
  for (let length = smallest.length; length >= 1 && left > 0; length >>= 1) {
    for (let at = 0; at + length <= smallest.length && left > 0; ) {
      const tried = Uint8Array.from(Buffer.concat([smallest.subarray(0, at), smallest.subarray(at + length)]));
      if (await isSame(tried)) smallest = tried;
      else at += length;
    }
  }
  return smallest;
}

async function broken(target: Target, input: Uint8Array): Promise<string | undefined> {
  const result = await execute(target, input);
  return 'broken' in result ? signatureOf(result.broken) : undefined;
}

/** The inputs, small ones first, that reach more than the seeds and smaller ones. */
export async function minimiseCorpus(target: Target, inputs: readonly Uint8Array[]): Promise<Uint8Array[]> {
  const seen = new SeenCoverage();
  for (const seed of await seedsOf(target)) {
    await execute(target, seed);
    seen.add();
  }
  const kept: Uint8Array[] = [];
  for (const input of [...inputs].sort((a, b) => a.length - b.length)) {
    const result = await execute(target, input);
    if (seen.add().fresh > 0 && !('broken' in result)) kept.push(input);
  }
  begin(0);
  end();
  return kept;
}
