import { ethernet } from '@coreiso/nmstate/forms';
import { hostFromForm, hostToForm, parseNodesConfig } from '@coreiso/nodes-config';
import { expect, test } from 'vitest';
import { goldens, names } from '../documents/recordings.ts';

const text = `# Rack 7
hosts:
- hostname: worker-0 # left
  interfaces:
  - name: eth0
    macAddress: 52:54:00:00:00:01 # port 3
  rootDeviceHints: {deviceName: /dev/sda} # the small one
  networkConfig:
    interfaces:
    # uplink
    - {name: eth0, type: ethernet, state: up, ipv4: {enabled: true, dhcp: true}}
- hostname: worker-1
`;

function written(form: ReturnType<typeof hostToForm>, index: number, from = text): string {
  const outcome = hostFromForm(form, from, index);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.diagnostics));
  return outcome.value;
}

test('an unchanged form changes nothing, in any recorded file', () => {
  for (const index of [0, 1]) expect(written(hostToForm(text, index), index)).toBe(text);
  const texts = names.map((name) => new TextDecoder().decode(goldens.bytes(`${name}.yaml`)));
  let taken = 0;
  for (const one of texts) {
    const outcome = hostFromForm(hostToForm(one, 0), one, 0);
    if (!outcome.ok) continue;
    taken += 1;
    expect(outcome.value).toBe(one);
  }
  expect(taken).toBeGreaterThan(50);
});

test('fields are written to their places, and comments stay', () => {
  const form = hostToForm(text, 0);
  expect(form).toMatchObject({
    hostname: 'worker-0',
    role: '',
    interfaces: [{ name: 'eth0', macAddress: '52:54:00:00:00:01' }],
  });
  form.hostname = 'left';
  form.role = 'worker';
  form.interfaces.push({ name: 'eth1', macAddress: '52:54:00:00:00:02' });
  form.network?.interfaces.push(ethernet({ name: 'eth1', ipv4: { address: '192.0.2.7/24' } }));
  const next = written(form, 0);
  for (const comment of text.match(/# .*/g) ?? []) expect(next).toContain(comment);
  expect(hostToForm(next, 0)).toEqual(form);
  const { diagnostics } = parseNodesConfig(next, { mode: 'compatible' });
  expect(diagnostics.filter(({ severity, path }) => severity === 'error' && path[1] !== 1)).toEqual([]);
});

test('a network is added to a host without one, and removed again', () => {
  const form = hostToForm(text, 1);
  expect(form.network).toBeUndefined();
  form.interfaces.push({ name: 'eth0', macAddress: '52:54:00:00:00:09' });
  form.network = {
    interfaces: [ethernet({ name: 'eth0', ipv4: { dhcp: true } })],
    routes: [],
    rules: [],
    dns: { servers: [], search: [] },
  };
  const next = written(form, 1);
  expect(hostToForm(next, 1)).toEqual({
    ...form,
    network: { ...form.network, interfaces: [{ ...form.network.interfaces[0], state: 'up' }] },
  });
  const without = written({ ...hostToForm(text, 0), network: undefined }, 0);
  expect(without).not.toContain('networkConfig');
  expect(without).toContain('# the small one');
});

test('a wrong field is reported with its path', () => {
  const form = hostToForm(text, 0);
  form.interfaces[0] = { name: 'eth0', macAddress: '52-54' };
  expect(hostFromForm(form, text, 0).diagnostics[0]).toMatchObject({ path: ['interfaces', 0, 'macAddress'] });
  const network = hostToForm(text, 0);
  network.network?.interfaces.push({ name: 'eth0', type: 'ethernet' });
  expect(hostFromForm(network, text, 0).diagnostics[0]).toMatchObject({ path: ['network', 'interfaces', 1, 'name'] });
});
