import { expect, test } from 'vitest';
import { advise, BARE_METAL, host, REMOTE } from './stories.ts';

const PLACE = { start: { offset: 0, line: 1, column: 1 }, end: { offset: 1, line: 1, column: 2 } };

test('advice about a host has a place in the nodes-config, and advice about the cluster has none', () => {
  const asked: string[] = [];
  const facts = { ...BARE_METAL, bareMetalHosts: [{ name: 'a', namespace: 'b' }], watchAllNamespaces: false };
  const advice = advise([host('far-0', 1, REMOTE)], facts, {
    locate: (path) => {
      asked.push(path.join('.'));
      return PLACE;
    },
  });
  expect(advice.get('router-on-remote-node')).toMatchObject({ path: ['hosts', 0, 'networkConfig'], range: PLACE });
  expect(advice.get('unwatched-hosts')).toMatchObject({ path: [] });
  expect(advice.get('unwatched-hosts')?.range).toBeUndefined();
  expect(asked).not.toContain('');
});
