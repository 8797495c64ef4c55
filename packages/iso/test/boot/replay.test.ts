import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { replayBootProof } from '../replay/boot-proof.ts';

const folder = new URL('../goldens/boot-proof/', import.meta.url);

test('gives the recorded boot proof for each case', async () => {
  const bytes = (path: string): Uint8Array => readFileSync(new URL(path, folder));
  const recordings = {
    paths: (pattern = /(?:)/) => readdirSync(folder).filter((path) => path !== 'README.md' && pattern.test(path)),
    bytes,
    text: (path: string) => new TextDecoder().decode(bytes(path)),
  };
  const verdicts = [];
  for await (const verdict of replayBootProof(recordings)) verdicts.push(verdict);
  expect(verdicts.filter(({ differences }) => differences.length > 0)).toEqual([]);
  expect(verdicts.length).toBeGreaterThan(5);
});
