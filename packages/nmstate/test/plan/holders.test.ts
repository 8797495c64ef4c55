// Ports that are ignored, and rules without an interface.
import type { Outcome } from '@coreiso/diagnostics';
import { describe, expect, test } from 'vitest';
import { generateKeyfiles, type Keyfile } from '../../src/index.ts';

function generate(text: string): Outcome<Keyfile[]> {
  return generateKeyfiles(text, { mode: 'compatible' });
}

describe('an ignored port', () => {
  const controllers = {
    bond: (ports: readonly string[]) => `{name: c, type: bond, bond: {mode: 1, port: [${ports}]}}`,
    'linux-bridge': (ports: readonly string[]) =>
      `{name: c, type: linux-bridge, bridge: {port: [${ports.map((name) => `{name: ${name}}`)}]}}`,
    'ovs-bridge': (ports: readonly string[]) =>
      `{name: c, type: ovs-bridge, bridge: {port: [${ports.map((name) => `{name: ${name}}`)}]}}`,
    vrf: (ports: readonly string[]) => `{name: c, type: vrf, vrf: {route-table-id: 5, port: [${ports}]}}`,
  };
  const state = (type: keyof typeof controllers, ports: readonly string[]): string =>
    `interfaces:\n- ${controllers[type](ports)}\n- {name: e1, type: ethernet}\n- {name: e2, type: ethernet, state: ignore}\n`;
  const types = Object.keys(controllers) as (keyof typeof controllers)[];

  test.each(types)('is left out of a %s', (type) => {
    expect(generate(state(type, ['e1', 'e2']))).toMatchObject({ ok: true });
    expect(generate(state(type, ['e1', 'e2']))).toEqual(generate(state(type, ['e1'])));
  });

  test.each(['bond', 'linux-bridge'] as const)(
    'that is listed twice in a %s is left out once, and the rest is an unknown port',
    (type) => {
      for (const ports of [
        ['e2', 'e2'],
        ['e2', 'e1', 'e2'],
      ]) {
        const { ok, diagnostics } = generate(state(type, ports));
        expect(ok).toBe(false);
        expect(diagnostics[0]).toMatchObject({
          code: 'nmstate/invalid-argument',
          message: 'Controller interface c is holding unknown port e2',
        });
      }
    },
  );

  test.each(['ovs-bridge', 'vrf'] as const)('that is listed twice in a %s is left out twice', (type) => {
    expect(generate(state(type, ['e2', 'e1', 'e2']))).toEqual(generate(state(type, ['e1'])));
  });
});

describe('a rule for which there is only an interface outside the kernel', () => {
  const state = (more: string): string =>
    `interfaces:\n- {name: hosta, type: ipsec, ipv4: {enabled: true, dhcp: true}, libreswan: {left: 192.0.2.1, right: 192.0.2.2}}\n${more}route-rules: {config: [{ip-from: 192.0.2.0/24, route-table: 200, priority: 5}]}\n`;

  test('is lost', () => {
    const outcome = generate(state(''));
    expect(outcome.diagnostics).toEqual([]);
    expect(outcome.ok && outcome.value.map(({ name }) => name)).toEqual(['hosta.nmconnection']);
    expect(outcome.ok && outcome.value.some(({ content }) => content.includes('routing-rule'))).toBe(false);
  });

  test('is reported by strict mode', () => {
    const { diagnostics } = generateKeyfiles(state(''));
    expect(diagnostics).toContainEqual(expect.objectContaining({ code: 'nmstate/lost-rule', severity: 'warning' }));
  });

  test('goes to a kernel interface of the same name', () => {
    const outcome = generate(state('- {name: hosta, type: dummy, ipv4: {enabled: true, dhcp: true}}\n'));
    const holders = outcome.ok ? outcome.value.filter(({ content }) => content.includes('routing-rule')) : [];
    expect(holders.map(({ content }) => /^type=(.*)$/m.exec(content)?.[1])).toEqual(['dummy']);
  });
});
