import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
// @ts-expect-error: a script without types
import { stationsOf } from '../scripts/walks/stations.mjs';
// @ts-expect-error: a script without types
import { walk } from '../scripts/walks/walk.mjs';
import { root } from './support/sources.ts';

const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');

/** The most files that a reader has to open. */
const MOST = { embed: 30, nodes: 50, agent: 45, range: 14 };

let traces: ReadonlyMap<string, object>;
beforeAll(async () => {
  traces = new Map((await walk(Object.keys(MOST))).map((trace: { name: string }) => [trace.name, trace]));
});

test.each(Object.entries(MOST))('docs/architecture.md draws the path %s, through at most %i files', (name, most) => {
  const section = page.split(/^### /m).find((text) => text.includes(`npm run walks -- ${name}\``)) ?? '';
  const drawn = [...section.matchAll(/^1\. `([^`]+)`/gm)].map(([, file]) => file);
  const trace = traces.get(name);
  // Without their order, which differs between concurrent parts.
  const stations: string[] = trace === undefined ? [] : stationsOf(trace);
  expect(drawn.sort(), `npm run walks -- ${name} prints the list`).toEqual(stations.sort());
  expect(drawn.length).toBeLessThanOrEqual(most);
  expect(section).toContain(`at most ${most})`);
});

test('a station is a file near the beginning, or an entry of a package that calls others', () => {
  const entries = [
    ['cli/main.ts', 'cli/frame.ts'],
    ['cli/main.ts', 'iso/door.ts'],
    ['iso/door.ts', 'iso/inside.ts'],
    ['iso/inside.ts', 'iso/deep.ts'],
    ['cli/frame.ts', 'peers/go.ts'],
  ] as const;
  const files = ['cli/main.ts', 'cli/frame.ts', 'iso/door.ts', 'iso/inside.ts', 'iso/deep.ts', 'cli/table.ts'];
  expect(stationsOf({ name: '', files, entries })).toEqual(['cli/main.ts', 'iso/door.ts']);
});
