import { describe, expect, test } from 'vitest';
import { listed, plan, recordings } from './recorded.ts';

test('all but one of the 72 recorded configs are accepted', () => {
  expect(recordings.length).toBe(71);
});

describe('the file tree equals the installer\u2019s', () => {
  test.each(recordings)('$name', ({ text, recording, files }) => {
    const { files: planned, hosts } = plan(text, recording.cluster);
    expect(planned.map(listed)).toEqual(files);
    expect(hosts.some(({ network }) => network !== undefined)).toBe(recording.mappingScript);
  });
});
