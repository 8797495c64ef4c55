import { expect } from 'vitest';

/** Node's warnings since the last check: listeners that are never removed, deprecated calls. */
const warned: string[] = [];
process.on('warning', ({ name, message }) => warned.push(`${name}: ${message}`));

// Tests with fake clocks may not have restored them yet.
const later = setImmediate;

/** Runs after each file, which fails if Node warned during it. */
export async function expectNoWarnings(): Promise<void> {
  // Node warns only when pending work has ended.
  await new Promise((done) => later(done));
  expect(warned.splice(0)).toEqual([]);
}
