// Edits in the form, step by step, and the resulting text.
import { generateKeyfilesOrThrow } from '@coreiso/nmstate';
import { type NetworkForm, toForm } from '@coreiso/nmstate/forms';
import { samples } from '@coreiso/nodes-config';
import { describe, expect, test } from 'vitest';
import { type HostInText, readHost, writeHost } from '../../src/views/host-form/host-text.ts';
import {
  addInterface,
  addressingOf,
  changeInterface,
  EMPTY_NETWORK,
  freeName,
  freePorts,
  gatewayOf,
  listOf,
  removeInterface,
  withAddressing,
  withGateway,
} from '../../src/views/host-form/network-edits.ts';

/** A card, another one, both bonded, a VLAN on top with a static address. */
function built(): NetworkForm {
  let form = addInterface(EMPTY_NETWORK, { type: 'ethernet', name: 'eno1' });
  form = addInterface(form, { type: 'bond', name: 'bond0', ports: ['eno1', 'eno2'], mode: 'active-backup' });
  form = addInterface(form, { type: 'vlan', base: 'bond0', id: 20 });
  const last = form.interfaces.length - 1;
  form = changeInterface(form, last, { ipv4: withAddressing('ipv4', 'static', ['192.0.2.20/24']) });
  return withGateway(form, 'ipv4', '192.0.2.1', '');
}

const text = (form: NetworkForm, before = ''): string => {
  const outcome = writeHost({
    kind: 'network-state',
    text: before,
    position: 0,
    form: { hostname: '', role: '', interfaces: [], network: form },
  });
  if (!outcome.ok) throw new Error(outcome.diagnostics.map(({ message }) => message).join('; '));
  return outcome.value;
};

describe('the steps', () => {
  test('that add a card, bond two, and put a VLAN with a static address on top give a valid network', () => {
    const written = text(built());
    expect(toForm(written)).toEqual(toForm(text(built(), written)));
    expect(
      generateKeyfilesOrThrow(written)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['bond0.20.nmconnection', 'bond0.nmconnection', 'eno1.nmconnection', 'eno2.nmconnection']);
    expect(toForm(written).routes).toMatchObject([
      { destination: '0.0.0.0/0', gateway: '192.0.2.1', interface: 'bond0.20' },
    ]);
  });

  test('that make an interface from ports move their addresses and routes to it', () => {
    const before: NetworkForm = {
      ...EMPTY_NETWORK,
      interfaces: [
        { name: 'a', type: 'ethernet', ipv4: { enabled: false } },
        { name: 'b', type: 'ethernet', ipv4: { enabled: true, addresses: ['192.0.2.7/24'] } },
      ],
      routes: [{ destination: '0.0.0.0/0', gateway: '192.0.2.1', interface: 'b' }],
    };
    const after = addInterface(before, { type: 'bond', name: 'bond0', ports: ['a', 'b'], mode: '802.3ad' });
    expect(after.interfaces.map(({ name, ipv4 }) => [name, ipv4])).toEqual([
      ['a', { enabled: false }],
      ['b', { enabled: false }],
      ['bond0', { enabled: true, addresses: ['192.0.2.7/24'] }],
    ]);
    expect(after.routes).toMatchObject([{ interface: 'bond0' }]);
    expect(before.interfaces[1]?.ipv4?.enabled).toBe(true);
    expect(generateKeyfilesOrThrow(text(after))).toHaveLength(3);
  });

  test('that remove an interface also remove those on it, its routes, and its place among ports', () => {
    const after = removeInterface(built(), 'bond0');
    expect(after.interfaces.map(({ name }) => name)).toEqual(['eno1', 'eno2']);
    expect(after.routes).toEqual([]);
    const without = removeInterface(built(), 'eno2').interfaces.find(({ name }) => name === 'bond0');
    expect(without).toMatchObject({ ports: ['eno1'] });
  });

  test.each([
    [undefined, 'keep'],
    [{}, 'keep'],
    [{ enabled: false, dhcp: true }, 'off'],
    [{ enabled: true, dhcp: true }, 'dhcp'],
    [{ enabled: true, autoconf: true, dhcp: false }, 'dhcp'],
    [{ enabled: true, addresses: ['192.0.2.1/24'] }, 'static'],
    [{ enabled: true }, 'keep'],
  ])('addresses of %j are %s', (form, addressing) => {
    expect(addressingOf(form)).toBe(addressing);
  });

  test.each(['ipv4', 'ipv6'] as const)('reads back every choice for %s', (family) => {
    const addresses = [family === 'ipv4' ? '192.0.2.1/24' : '2001:db8::1/64'];
    for (const addressing of ['off', 'dhcp', 'static'] as const) {
      const form = changeInterface(addInterface(EMPTY_NETWORK, { type: 'ethernet', name: 'a' }), 0, {
        [family]: withAddressing(family, addressing, addresses),
      });
      expect(addressingOf(toForm(text(form)).interfaces[0]?.[family])).toBe(addressing);
    }
  });

  test('a default gateway is changed in its place, and other routes stay', () => {
    const other = { destination: '198.51.100.0/24', gateway: '192.0.2.9', interface: 'bond0.20' };
    const before = { ...built(), routes: [other, ...built().routes.map((route) => ({ ...route, metric: 7 }))] };
    const after = withGateway(before, 'ipv4', '192.0.2.254', 'bond0.20');
    expect(after.routes).toMatchObject([other, { gateway: '192.0.2.254', metric: 7 }]);
    expect(gatewayOf(withGateway(after, 'ipv4', '', ''), 'ipv4')).toEqual({ address: '', through: '' });
    expect(withGateway(after, 'ipv6', '2001:db8::1', 'eno1').routes).toHaveLength(3);
  });

  test('ports are interfaces without another one on them', () => {
    expect(freePorts(built(), ['eno1', 'eno3', ''])).toEqual(['eno3', 'bond0.20']);
    expect(freeName(built(), 'bond')).toBe('bond1');
    expect(listOf(' a, b  c,')).toEqual(['a', 'b', 'c']);
  });
});

describe('a host in its text', () => {
  const at = (position: number, changed: string = samples.nodesConfig): HostInText => ({
    kind: 'nodes-config',
    text: changed,
    position,
  });

  test('is read with the names of all hosts', () => {
    const { form, hosts } = readHost(at(0));
    expect(hosts?.[0]).toBe(form.hostname);
    expect(form.interfaces.length).toBeGreaterThan(0);
  });

  test('stays the same to the byte if it is written unchanged', () => {
    for (const kind of ['nodes-config', 'agent-config'] as const) {
      const document = kind === 'nodes-config' ? samples.nodesConfig : samples.agentConfig;
      for (const position of readHost({ kind, text: document, position: 0 }).hosts?.keys() ?? []) {
        const { form } = readHost({ kind, text: document, position });
        expect(writeHost({ kind, text: document, position, form })).toMatchObject({ ok: true, value: document });
      }
    }
  });

  test('keeps comments and keys that the form does not know', () => {
    const before = 'hosts:\n- hostname: a # mine\n  rootDeviceHints: {deviceName: /dev/sda}\n  strange: 1\n';
    const outcome = writeHost({ ...at(0, before), form: { ...readHost(at(0, before)).form, hostname: 'b' } });
    expect(outcome).toMatchObject({ ok: true, value: before.replace('hostname: a', 'hostname: b') });
  });

  test('is added after the last, also to an empty text', () => {
    const form = { hostname: 'worker-9', role: '', interfaces: [], network: undefined };
    for (const document of ['', samples.nodesConfig]) {
      const count = readHost(at(0, document)).hosts?.length ?? 0;
      const outcome = writeHost({ ...at(count, document), form });
      expect(outcome.ok && readHost(at(count, outcome.value)).form.hostname).toBe('worker-9');
      expect(outcome.ok && readHost(at(count, outcome.value)).hosts).toHaveLength(count + 1);
    }
  });

  test.each([
    ['a MAC address', { interfaces: [{ name: 'a', macAddress: 'x' }] }, 'interfaces.0.macAddress'],
    [
      'a static address',
      {
        network: {
          ...EMPTY_NETWORK,
          interfaces: [{ name: 'a', type: 'ethernet', ipv4: { enabled: true, addresses: ['1'] } }],
        },
      },
      'network.interfaces.0.ipv4.addresses.0',
    ],
  ] as const)('with an invalid %s is not written, and the finding names the field', (_, members, path) => {
    const outcome = writeHost({ ...at(0), form: { ...readHost(at(0)).form, ...(members as object) } });
    expect(outcome.ok).toBe(false);
    expect(outcome.diagnostics.map((finding) => finding.path.join('.'))).toContain(path);
  });

  test('a state without a host has findings with the same paths', () => {
    const network: NetworkForm = { ...EMPTY_NETWORK, interfaces: [{ name: 'a b', type: 'ethernet' }] };
    const outcome = writeHost({
      kind: 'network-state',
      text: '',
      position: 0,
      form: { hostname: '', role: '', interfaces: [], network },
    });
    expect(outcome.diagnostics.map(({ path }) => path.join('.'))).toEqual(['network.interfaces.0.name']);
  });

  test.each(['', '- 1', 'hosts: {', 'hosts: 1', 'hosts:\n- 1\n- hostname: [a]\n'])(
    'a text like %j still has a form',
    (document) => {
      expect(readHost(at(0, document)).form.interfaces).toEqual([]);
    },
  );
});
