// Random fills and edits of forms, valid and invalid ones.
import fc from 'fast-check';
import type { InterfaceForm, NetworkForm, RouteForm, RuleForm } from '../../src/forms.ts';

const often = <T>(right: fc.Arbitrary<T>, wrong: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ arbitrary: right, weight: 30 }, { arbitrary: wrong, weight: 1 });

const NAMES = ['eth0', 'eth1', 'eno1', 'ens3f0', 'bond0', 'br0', 'br-ex', 'bond0.20', '10', 'null', 'a:b', 'no', '0x1'];
const name = often(
  fc.constantFrom(...NAMES.slice(0, 8)),
  fc.oneof(fc.constantFrom(...NAMES), fc.string({ maxLength: 17 })),
);
const v4 = fc.tuple(fc.nat(255), fc.nat(255), fc.integer({ min: 0, max: 33 }));
const v4Address = often(
  v4.map(([a, b, length]) => `192.0.${a}.${b}/${Math.min(length, 32)}`),
  fc.oneof(
    v4.map(([a, b, length]) => `192.${a}.2.${b}/${length}`),
    fc.constantFrom('192.0.2.1', '', '::1/64', 'x/24'),
  ),
);
const v6Address = often(
  fc
    .tuple(fc.nat(0xffff), fc.integer({ min: 0, max: 128 }))
    .map(([a, length]) => `2001:db8::${a.toString(16)}/${length}`),
  fc.constantFrom('2001:db8::1/129', 'fe80::1/64', '192.0.2.1/24', '1::2::3/64'),
);
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });

const ipv4 = fc.oneof(
  fc.constant({ enabled: false }),
  fc.constant({ enabled: true, dhcp: true }),
  fc.array(v4Address, { minLength: 1, maxLength: 3 }).map((addresses) => ({ addresses, enabled: true, dhcp: false })),
);
const ipv6 = fc.oneof(
  fc.constant({ enabled: false }),
  fc.constant({ enabled: true, dhcp: true, autoconf: true }),
  fc.record({ enabled: fc.boolean(), dhcp: maybe(fc.boolean()), autoconf: maybe(fc.boolean()) }),
  fc
    .array(v6Address, { minLength: 1, maxLength: 2 })
    .map((addresses) => ({ addresses, enabled: true, dhcp: false, autoconf: false })),
);

const common = {
  name,
  state: fc.constantFrom('up', 'up', 'up', 'up', 'down', 'absent'),
  mac: maybe(
    often(
      fc.nat(255).map((n) => `52:54:00:00:00:${n.toString(16).padStart(2, '0')}`),
      fc.string(),
    ),
  ),
  mtu: maybe(often(fc.integer({ min: 1280, max: 9000 }), fc.integer({ min: -1, max: 5_000_000_000 }))),
  ipv4: maybe(ipv4),
  ipv6: maybe(ipv6),
};
const ports = fc.array(name, { maxLength: 3 });
const bondMode = fc.constantFrom('balance-rr', 'active-backup', 'balance-xor', '802.3ad', 'balance-tlb');

const anInterface: fc.Arbitrary<InterfaceForm> = fc.oneof(
  fc.record({ ...common, type: fc.constantFrom('ethernet', 'ethernet', 'ethernet', 'dummy', 'veth', 'ovs-interface') }),
  fc.record({
    ...common,
    type: fc.constant('bond'),
    mode: often<string | undefined>(bondMode, fc.constantFrom(undefined, 'fast')),
    ports,
    primary: often<string | undefined>(fc.constant(undefined), fc.constantFrom('eth0', 'eth1')),
    miimon: maybe(fc.nat(1000)),
  }),
  fc.record({
    ...common,
    type: fc.constant('vlan'),
    base: often<string | undefined>(name, fc.constant(undefined)),
    id: often(fc.integer({ min: 1, max: 4094 }), fc.integer({ min: -1, max: 70_000 })),
  }),
  fc.record({ ...common, type: fc.constant('linux-bridge'), ports, stp: maybe(fc.boolean()) }),
  fc.record({ name, type: fc.constant('ovs-bridge'), ports }),
) as fc.Arbitrary<InterfaceForm>;

const network = often(
  fc.oneof(
    fc.constantFrom('0.0.0.0/0', '::/0', '198.51.100.0/24', '2001:db8:1::/48'),
    v4.map(([a, b, length]) => `10.${a}.${b}.0/${Math.min(length, 32)}`),
  ),
  fc.constantFrom('0.1.0.0/16', '10.0.0.0', 'all', '::/129'),
);
const gateway = often(
  fc.constantFrom('192.0.2.1', '2001:db8::1', 'fe80::1'),
  fc.constantFrom('192.0.2.1/24', 'router'),
);

const aRoute: fc.Arbitrary<RouteForm> = fc.record({
  destination: network,
  gateway: maybe(gateway),
  interface: often<string | undefined>(fc.constantFrom('eth0', 'eth1', 'bond0', 'br-ex'), fc.constant(undefined)),
  metric: maybe(fc.nat(1000)),
  table: maybe(fc.nat(500)),
});
const aRule: fc.Arbitrary<RuleForm> = fc.record({
  from: maybe(network),
  to: maybe(network),
  priority: maybe(fc.nat(40_000)),
  table: maybe(fc.nat(500)),
});
const server = often(
  fc.constantFrom('192.0.2.53', '198.51.100.53', '2001:db8::53', 'fe80::53%eth0'),
  fc.constantFrom('dns.example.test', '', '1.2.3', 'fe80::53%eth1', 'fe80::53%', 'fe80::53%eth0%1'),
);

/** Removes undefined members, which a form from a text does not have. */
function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

export const aForm: fc.Arbitrary<NetworkForm> = fc
  .record({
    interfaces: fc.array(anInterface, { maxLength: 5 }),
    routes: often(fc.constant<RouteForm[]>([]), fc.array(aRoute, { maxLength: 3 })),
    rules: often(fc.constant<RuleForm[]>([]), fc.array(aRule, { maxLength: 2 })),
    dns: fc.record({
      servers: fc.oneof(fc.constant<string[]>([]), fc.array<string>(server, { maxLength: 3 })),
      search: fc.constantFrom<string[]>([], ['example.test']),
    }),
  })
  .map(plain);

/** An edit of a form, made in place. */
export type Edit = (form: NetworkForm) => void;

const onInterface = (change: (one: InterfaceForm) => void, pick: number): Edit => {
  return ({ interfaces }) => {
    const one = interfaces[pick % Math.max(1, interfaces.length)];
    if (one !== undefined) change(one);
  };
};

const pick = fc.nat(1000);

/** Edits that remove nothing. */
export const anAddition: fc.Arbitrary<Edit> = fc.oneof(
  anInterface.map(
    (one): Edit =>
      (form) =>
        void form.interfaces.push(plain(one)),
  ),
  fc.tuple(pick, anInterface).map(
    ([at, one]): Edit =>
      ({ interfaces }) => {
        interfaces.splice(at % (interfaces.length + 1), 0, plain(one));
      },
  ),
  fc
    .tuple(pick, fc.integer({ min: 1280, max: 9000 }))
    .map(([at, mtu]) => onInterface((one) => Object.assign(one, { mtu }), at)),
  fc.tuple(pick, name).map(([at, next]) => onInterface((one) => Object.assign(one, { name: next }), at)),
  fc
    .tuple(pick, common.mac)
    .map(([at, mac]) => onInterface((one) => mac !== undefined && Object.assign(one, { mac }), at)),
  fc.tuple(pick, v4Address).map(([at, address]) =>
    onInterface((one) => {
      if (one.ipv4 === undefined) one.ipv4 = { addresses: [address], enabled: true, dhcp: false };
      else one.ipv4.addresses = [...(one.ipv4.addresses ?? []), address];
    }, at),
  ),
  fc.tuple(pick, v4Address).map(([at, address]) =>
    onInterface((one) => {
      const [, ...others] = one.ipv4?.addresses ?? [];
      if (one.ipv4?.addresses !== undefined && one.ipv4.addresses.length > 0) one.ipv4.addresses = [address, ...others];
    }, at),
  ),
  fc
    .tuple(pick, bondMode)
    .map(([at, mode]) => onInterface((one) => one.type === 'bond' && Object.assign(one, { mode }), at)),
  fc.tuple(pick, name).map(([at, port]) => onInterface((one) => 'ports' in one && one.ports?.push(port), at)),
  fc
    .tuple(pick, fc.integer({ min: 1, max: 4094 }))
    .map(([at, id]) => onInterface((one) => one.type === 'vlan' && Object.assign(one, { id }), at)),
  fc
    .tuple(pick, fc.boolean())
    .map(([at, enabled]) => onInterface((one) => one.ipv6 && Object.assign(one.ipv6, { enabled }), at)),
  aRoute.map(
    (one): Edit =>
      (form) =>
        void form.routes.push(plain(one)),
  ),
  aRule.map(
    (one): Edit =>
      (form) =>
        void form.rules.push(plain(one)),
  ),
  server.map(
    (one): Edit =>
      (form) =>
        void form.dns.servers.push(one),
  ),
  server.map(
    (one): Edit =>
      ({ dns }) =>
        void dns.servers.splice(0, 1, one),
  ),
) as fc.Arbitrary<Edit>;

/** Edits that remove something. */
export const aRemoval: fc.Arbitrary<Edit> = fc.oneof(
  pick.map(
    (at): Edit =>
      ({ interfaces }) =>
        void interfaces.splice(at % Math.max(1, interfaces.length), 1),
  ),
  pick.map(
    (at): Edit =>
      ({ interfaces }) =>
        void interfaces.unshift(...interfaces.splice(at % Math.max(1, interfaces.length), 1)),
  ),
  fc.constant<Edit>((form) => void form.routes.pop()),
  fc.constant<Edit>((form) => void form.dns.servers.shift()),
  pick.map((at) => onInterface((one) => 'ports' in one && one.ports?.pop(), at)),
  pick.map((at) => onInterface((one) => one.ipv4?.addresses?.shift(), at)),
  pick.map((at) => onInterface((one) => void delete one.mtu, at)),
  pick.map((at) => onInterface((one) => void delete one.ipv6, at)),
);
