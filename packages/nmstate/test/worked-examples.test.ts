import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { generateKeyfiles, type Keyfile } from '../src/index.ts';

interface WorkedExample {
  readonly title: string;
  readonly input: string;
  readonly files: Keyfile[];
}

const examples: WorkedExample[] = JSON.parse(
  readFileSync(new URL('goldens/worked-examples.json', import.meta.url), 'utf8'),
);

describe('writes whole hosts as nmstatectl gc does', () => {
  test.each(examples)('$title', ({ input, files }) => {
    const outcome = generateKeyfiles(input, { mode: 'compatible' });
    expect(outcome.ok && outcome.value).toEqual(files);
  });
});
