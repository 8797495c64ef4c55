import { expect } from 'vitest';

/** What Node warned of since it was looked at last: listeners that are never removed, deprecated calls. */
const warned: string[] = [];
process.on('warning', ({ name, message }) => warned.push(`${name}: ${message}`));

// Tests that have other clocks may not have put them back yet.
const later = setImmediate;

/** Runs after each file, which fails if Node warned of something in it. */
export async function expectNoWarnings(): Promise<void> {
  // Node tells it when what is under way has ended.
  await new Promise((done) => later(done));
  expect(warned.splice(0)).toEqual([]);
}
