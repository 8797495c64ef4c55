import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { sources } from './support/sources.ts';

// Callers without types: for any value, an error must name a parameter, and not the line of coreiso that failed.

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Entries for users. The others have shared parts of packages: behaviour of peers' standard libraries, tables of
 * documents.
 */
const ENTRIES: Readonly<Record<string, readonly string[]>> = {
  diagnostics: ['.'],
  cluster: ['.'],
  ignition: ['.', './customize'],
  iso: ['.', './iso9660', './base', './http', './node', './sample'],
  nmstate: ['.', './schema'],
  'nodes-config': ['.', './schema'],
  openshift: ['.', './node', './s3'],
};

/** Error messages of an engine for wrong types. */
const OF_THE_ENGINE =
  /Cannot (?:read|set|convert|destructure|use)|is not (?:a function|iterable|an object)|argument must be of type|Invalid URL/;

/** Missing values, and kinds of values that are easily confused. */
const WRONG: readonly (readonly unknown[])[] = [
  ...[[], [null], [7], ['text'], [{}], [[]], [[7]]],
  ...[
    [{}, null],
    ['', null],
    [[], null],
    [new Uint8Array(), null],
    [{}, {}],
    [{}, {}, null],
    ['', '', null],
  ],
];

const functions: (readonly [name: string, call: (...args: readonly unknown[]) => unknown])[] = [];
for (const [name, entries] of Object.entries(ENTRIES)) {
  const { exports } = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'));
  for (const entry of entries) {
    const module: Record<string, unknown> = await import(
      join(root, 'packages', name, exports[entry]['@coreiso/source'])
    );
    for (const [exported, value] of Object.entries(module)) {
      if (typeof value !== 'function' || value.prototype instanceof Error) continue;
      const isClass = /^class\b/.test(Function.prototype.toString.call(value));
      const call = (...args: readonly unknown[]) => (isClass ? Reflect.construct(value, args) : value(...args));
      functions.push([`${join(`@coreiso/${name}`, entry)} ${exported}`, call]);
    }
  }
}

describe('names the parameter of a wrong argument', () => {
  // `text` is the name of a stream, so it is no reason for a request.
  beforeAll(() => {
    vi.stubGlobal('fetch', async () => new Response('', { status: 404 }));
    return () => vi.unstubAllGlobals();
  });

  test.each(functions)('%s', async (_, call) => {
    for (const args of WRONG) {
      const message = await messageOf(call, args);
      expect(message, `called with ${JSON.stringify(args)}`).not.toMatch(OF_THE_ENGINE);
    }
  });
});

/** An error that the sources throw for misuse, with the message between its quotes. */
const MISUSE = /new (?:TypeError|RangeError)\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1/g;

test('words a wrong argument as "path must be a string": the parameter comes first', () => {
  const errors = sources.flatMap(({ path, text }) =>
    [...text.matchAll(MISUSE)].map(([, , message = '']) => `${path}: ${message.replace(/\$\{[^}]*\}/g, 'x')}`),
  );
  expect(errors.length).toBeGreaterThan(50);
  const others = errors.filter((error) => !/: [\w.[\]]+(?: of [\w ]+)? must /.test(error));
  expect(others).toEqual([]);
});

/** The error of a call; a generator is started for it. */
async function messageOf(call: (...args: readonly unknown[]) => unknown, args: readonly unknown[]): Promise<string> {
  try {
    const given = call(...args);
    if (given instanceof Promise) await given;
    else if (typeof given === 'object' && given !== null && 'next' in given)
      await (given as AsyncIterator<unknown>).next();
    return '';
  } catch (error) {
    return String(error instanceof Error ? error.message : error);
  }
}
