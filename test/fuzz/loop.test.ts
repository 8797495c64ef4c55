import { describe, expect, test } from 'vitest';
// @ts-expect-error plain JavaScript
import { instrument } from '../../scripts/fuzz/instrument.mjs';
import { allocate, region, step } from './coverage.ts';
import { execute, fuzz, signatureOf } from './loop.ts';
import { minimiseCorpus, minimiseInput } from './minimise.ts';
import { assertHolds, type Target } from './target.ts';

/** Code with counters, as in the bundle. */
function instrumented(code: string): (input: Uint8Array) => unknown {
  const withCounters = instrument(code, { name: 'planted.ts', runtime: 'runtime', lang: 'js' });
  const body = withCounters.replace(/^import\{[^}]*\}from"runtime";/, '');
  return new Function('$r', '$s', '$a', `${body}; return read;`)(region, step, allocate);
}

function targetOf(code: string, more: Partial<Target> = {}): Target {
  return { name: 'planted/code', shape: 'bytes', longest: 64, seeds: () => ['seed'], run: instrumented(code), ...more };
}

/** Chance meets each condition once in 256 inputs; only guidance meets all of them. */
const NESTED = `function read(input) {
  if (input.length < 6) return 'short';
  if (input[0] === 0x66) if (input[1] === 0x75) if (input[2] === 0x7a)
    if (input[3] === 0x7a) if (input[4] ^ 0x5a) { if (input[5] === 0xfe) throw new Error('planted at ' + input[5]); }
  return 'long';
}`;
const until = (most: number) => (executions: number) => executions >= most;

describe('the loop', () => {
  test('finds a bug behind nested conditions, which blind mutations miss', async () => {
    const guided = await fuzz(targetOf(NESTED), { seed: 1, isOver: until(250_000) });
    expect(guided.findings.map(({ signature }) => signature)).toEqual([expect.stringMatching(/^Error: planted at # /)]);
    const blind = await fuzz(targetOf(NESTED), { seed: 1, isOver: until(250_000), isGuided: false });
    expect(blind.findings).toEqual([]);
    expect(blind.branches).toBeLessThan(guided.branches);
  });

  test('repeats a run with the same seed, and differs with another', async () => {
    const target = targetOf(NESTED);
    const run = async (seed: number) => {
      const { digest, corpus } = await fuzz(target, { seed, isOver: until(3000) });
      return { digest, corpus: corpus.map((input) => Buffer.from(input).toString('hex')) };
    };
    const first = await run(7);
    expect(await run(7)).toEqual(first);
    expect((await run(8)).digest).not.toBe(first.digest);
  });

  test('uses words from the code and from the target', async () => {
    const code =
      "function read(input) { if (String.fromCharCode(...input).includes('s3cr3t-word')) throw new Error('read'); }";
    const { findings } = await fuzz(targetOf(code, { seeds: () => [] }), { seed: 1, isOver: until(3000) });
    expect(findings).toHaveLength(1);
  });

  test('ends code that loops forever, even if it catches everything', async () => {
    const code =
      'function read(input) { for (;;) { try { spin(); } catch {} if (input.length > 99) return; } } function spin() {}';
    const target = targetOf(code, { steps: { base: 1000, perByte: 0 } });
    // The watchdog ends a loop that swallows the error; this one throws outside its try.
    expect((await execute(target, Uint8Array.of(1))).broken).toMatchObject({ name: 'StepsExhausted' });
  });

  test('counts allocations', async () => {
    const target = targetOf('function read(input) { return new Uint8Array(input[0] * 1000); }', { memory: 100_000 });
    expect(await execute(target, Uint8Array.of(99))).toMatchObject({ bytes: 99_000 });
    expect((await execute(target, Uint8Array.of(200))).broken).toMatchObject({
      message: expect.stringMatching(/allocates 200000/),
    });
  });

  test('reports broken properties, also of promises', async () => {
    const run = async (input: Uint8Array): Promise<void> => assertHolds(input.length < 3, 'inputs are short');
    const { findings } = await fuzz(targetOf('function read() {}', { run }), { seed: 1, isOver: until(100) });
    expect(findings).toMatchObject([{ signature: 'Broken: inputs are short' }]);
  });
});

describe('minimising', () => {
  test('an input keeps only the part that fails', async () => {
    const input = new TextEncoder().encode('fuzz\u0000\u00fe and more of it').filter((byte) => byte !== 0xc3);
    input[5] = 0xfe;
    const target = targetOf(NESTED);
    const { broken } = await execute(target, input);
    const smallest = await minimiseInput(target, input);
    expect(smallest.length).toBe(6);
    expect(signatureOf((await execute(target, smallest)).broken)).toBe(signatureOf(broken));
  });

  test('a corpus keeps inputs that reach more than the seeds and smaller inputs', async () => {
    const inputs = ['seedling', 'fuuuuu', 'fuzzzz', 'seedy', 'fuzzzz and more'].map((text) =>
      new TextEncoder().encode(text),
    );
    const kept = await minimiseCorpus(targetOf(NESTED), inputs);
    expect(kept.map((input) => new TextDecoder().decode(input))).toEqual(['fuuuuu', 'fuzzzz', 'seedling']);
  });
});

test('counters do not change the behaviour of code', () => {
  const read = instrumented(`function read(input) {
    const seen = [];
    label: for (const byte of input) { for (;;) { if (byte > 3) continue label; else if (byte === 2) break label; break; } seen.push(byte); }
    const shown = (value) => ({ value, half: value % 2 ? undefined : value / 2 });
    switch (input.length) { case 1: case 2: seen.push('few'); break; default: seen.push('many'); }
    do seen.push(seen.length); while (seen.length < 4);
    class Counter { #count = 0; static made = 0; get next() { return ++this.#count; } constructor() { Counter.made++; } }
    const counter = new Counter();
    try { if (input[0] === 1) throw new Error('one'); } catch ({ message }) { seen.push(message ?? 'none'); } finally { seen.push(counter.next); }
    return JSON.stringify([seen, input.length > 1 && shown(input[1]), input[9] ?? (input[0] || 'nothing'), Counter.made]);
  }`);
  expect(read(Uint8Array.of(1, 4, 2, 1))).toBe('[[1,"many",2,3,"one",1],{"value":4,"half":2},1,1]');
  expect(read(Uint8Array.of(0))).toBe('[[0,"few",2,3,1],false,"nothing",1]');
});
