import { NodesConfigError, parseNodesConfigOrThrow, requireSafeNames } from '@coreiso/nodes-config';
import { describe, expect, test } from 'vitest';
import { HostConfigs } from '../../src/images/host-configs.ts';
import { liveConfig } from '../../src/join/live-config.ts';
import { planNodes } from '../../src/join/plan-nodes.ts';

/** As upstream accepts it. */
const planOf = (host: string) => planNodes(parseNodesConfigOrThrow(`hosts:\n- ${host}\n`, { mode: 'compatible' }));

function errorOf(action: () => unknown): NodesConfigError {
  try {
    action();
  } catch (error) {
    if (error instanceof NodesConfigError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

const MAC = 'macAddress: 52:54:00:aa:00:01';

describe('a plan with names that become paths', () => {
  test.each([
    ['"../../../../../etc/x"', 'it has a slash'],
    ['"a\\0b"', 'it has a control character'],
    ['"a\\nb"', 'it has a control character'],
    ['".."', 'it is the name of a directory'],
    ['"."', 'it is the name of a directory'],
    [`"${'x'.repeat(256)}"`, 'it has 256 bytes; at most 255 are allowed'],
  ])('follows upstream, but gives no image for hostname %s', (hostname, fault) => {
    const plan = planOf(`{hostname: ${hostname}, role: worker, interfaces: [{name: eth0, ${MAC}}]}`);
    const error = errorOf(() => liveConfig(plan));
    expect(error).toMatchObject({ code: 'NODES_UNSAFE_NAME' });
    expect(error.message).toMatch(/^hosts\[0\]\.hostname \(line 2, column 14\): no image can hold the name "/);
    expect(error.message.endsWith(fault)).toBe(true);
    expect(error.diagnostics).toMatchObject([
      { code: 'nodes-config/unsafe-name', path: ['hosts', 0, 'hostname'], range: { start: { line: 2, column: 14 } } },
    ]);
    expect(plan.diagnostics).toEqual(expect.arrayContaining([...error.diagnostics]));
    expect(errorOf(() => new HostConfigs(plan)).code).toBe('NODES_UNSAFE_NAME');
    // A plan without its findings does not bypass the check.
    expect(errorOf(() => liveConfig({ ...plan, diagnostics: [] })).message).toContain('hosts[0].hostname: ');
  });

  test('refuses an interface name that would add a line to the table of addresses', () => {
    const plan = planOf(`{interfaces: [{name: "eth0\\n52:54:00:aa:00:02=eth1", ${MAC}}]}`);
    expect(errorOf(() => liveConfig(plan)).message).toContain('hosts[0].interfaces[0].name');
  });

  test('refuses a profile outside of the directory of its host', () => {
    const plan = planOf(
      `{interfaces: [{name: eth0, ${MAC}}], networkConfig: {interfaces: [{name: eth0, type: ethernet, profile-name: ../../../up}]}}`,
    );
    expect(errorOf(() => liveConfig(plan)).message).toMatch(
      /^hosts\[0\]\.networkConfig .*"\.\.\/\.\.\/\.\.\/up\.nmconnection": it has a slash$/,
    );
  });

  test('accepts ordinary names', () => {
    expect(() => requireSafeNames(planOf(`{hostname: worker-0, interfaces: [{name: eth0, ${MAC}}]}`))).not.toThrow();
  });
});
