import type * as Nmstate from '@coreiso/nmstate';
import { parseNodesConfigOrThrow, planHosts } from '@coreiso/nodes-config';
import { expect, test, vi } from 'vitest';

const calls: string[] = [];

vi.mock('@coreiso/nmstate', async (original) => {
  const real = await original<typeof Nmstate>();
  const counted =
    <Input, Result>(name: string, work: (input: Input) => Result) =>
    (input: Input): Result => {
      calls.push(name);
      return work(input);
    };
  return { ...real, linksOf: counted('links', real.linksOf), judgeState: counted('state', real.judgeState) };
});

const host = (name: string, mac: string): string => `- hostname: ${name}
  interfaces: [{name: eno1, macAddress: "${mac}"}]
  networkConfig: {interfaces: [{name: eno1, type: ethernet, state: up, ipv4: {enabled: true, dhcp: true}}]}
`;

test('from the text to the plan, the network of each host is checked once, and its links are read once', () => {
  const config = parseNodesConfigOrThrow(
    `hosts:\n${host('worker-0', '52:54:00:00:00:01')}${host('worker-1', '52:54:00:00:00:02')}`,
  );
  planHosts(config);
  expect(calls.sort()).toEqual(['links', 'links', 'state', 'state']);
});
