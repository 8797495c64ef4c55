import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { generate, type PackXz } from '../../scripts/generate.ts';

/** Fails unless the committed recipes equal those that `packXz` makes of the minimal images. */
export async function expectCurrentRecipes(packXz: PackXz): Promise<void> {
  for (const [path, text] of await generate(packXz)) {
    const committed = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
    expect(committed === text, `${path} is stale: node packages/iso/scripts/generate.mjs`).toBe(true);
  }
}
