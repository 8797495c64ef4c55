// One host as fields. A change gives a new form, which the panel writes into the text.
import type { InterfaceForm, NetworkForm } from '@coreiso/nmstate/forms';
import type { HostForm } from '@coreiso/nodes-config';
import { element } from '../../element.ts';
import { HOST_FORM } from '../../texts/host-form.ts';
import { showAdder } from './adder.ts';
import { button, choiceField, manyField, textField } from './fields.ts';
import {
  type Addressing,
  addressingOf,
  changeInterface,
  EMPTY_NETWORK,
  FAMILIES,
  type Family,
  freeName,
  freePorts,
  gatewayOf,
  listOf,
  removeInterface,
  withAddressing,
  withGateway,
} from './network-edits.ts';

/** Computes the next form from the current one: fields outlive the form from which they were made. */
export type Change = (step: (form: HostForm) => HostForm) => void;

type ChangeNetwork = (step: (network: NetworkForm) => NetworkForm | undefined) => void;

export function showForm(form: HostForm, isHost: boolean, change: Change): HTMLElement[] {
  const set: ChangeNetwork = (step) =>
    change((current) => ({ ...current, network: step(current.network ?? EMPTY_NETWORK) }));
  return [
    ...(isHost ? [identity(form, change), cards(form, change)] : []),
    ...network(form, isHost, set),
    element('p', { className: 'quiet' }, HOST_FORM.unknown),
  ];
}

function group(title: string, ...content: readonly (HTMLElement | undefined)[]): HTMLElement {
  return element('fieldset', { className: 'group stack' }, element('legend', {}, title), ...content);
}

function identity(form: HostForm, change: Change): HTMLElement {
  return group(
    HOST_FORM.identity,
    element(
      'div',
      { className: 'fields' },
      textField(HOST_FORM.hostname, 'hostname', form.hostname, (hostname) =>
        change((current) => ({ ...current, hostname })),
      ),
      choiceField(HOST_FORM.role, 'role', HOST_FORM.roles, form.role, (role: string) =>
        change((current) => ({ ...current, role })),
      ),
    ),
  );
}

function cards(form: HostForm, change: Change): HTMLElement {
  const { interfaces } = form;
  const set = (position: number, members: object): void =>
    change((current) => ({
      ...current,
      interfaces: current.interfaces.map((one, index) => (index === position ? { ...one, ...members } : one)),
    }));
  const remove = (position: number): void =>
    change((current) => ({ ...current, interfaces: current.interfaces.filter((_, index) => index !== position) }));
  const rows = interfaces.map(({ name, macAddress }, index) => {
    const path = `interfaces.${index}`;
    return element(
      'div',
      { className: 'fields row' },
      textField(HOST_FORM.cardName(index + 1), `${path}.name`, name, (text) => set(index, { name: text })),
      textField(
        HOST_FORM.cardMac(index + 1),
        `${path}.macAddress`,
        macAddress,
        (text) => set(index, { macAddress: text }),
        {
          placeholder: '52:54:00:00:00:01',
        },
      ),
      button(HOST_FORM.remove, () => remove(index), {
        'aria-label': HOST_FORM.removeCard(name || macAddress),
      }),
    );
  });
  const add = (): void => {
    const taken: NetworkForm = {
      ...EMPTY_NETWORK,
      interfaces: interfaces.map(({ name }) => ({ name, type: 'ethernet' })),
    };
    const added = { name: freeName(taken, 'eth'), macAddress: '' };
    change((current) => ({ ...current, interfaces: [...current.interfaces, added] }));
  };
  return group(
    HOST_FORM.cards,
    element('p', { className: 'quiet' }, HOST_FORM.cardsHelp),
    ...rows,
    element('div', {}, button(HOST_FORM.addCard, add)),
  );
}

function network(form: HostForm, isHost: boolean, set: ChangeNetwork): HTMLElement[] {
  const { network: state } = form;
  const names = form.interfaces.map(({ name }) => name);
  if (state === undefined) {
    const start = (): void =>
      set(() => ({ ...EMPTY_NETWORK, interfaces: names.filter((name) => name !== '').map(startOf) }));
    return [
      group(
        HOST_FORM.network,
        element('p', { className: 'quiet' }, HOST_FORM.noNetwork),
        element('div', {}, button(HOST_FORM.describe, start)),
      ),
    ];
  }
  return [
    group(
      HOST_FORM.interfaces,
      ...state.interfaces.map((_, position) => interfaceFields(state, position, names, set)),
      showAdder(state, names, set),
      isHost
        ? element(
            'div',
            {},
            button(HOST_FORM.leaveToSite, () => set(() => undefined)),
          )
        : undefined,
    ),
    routing(state, set),
  ];
}

const startOf = (name: string): InterfaceForm => ({
  name,
  type: 'ethernet',
  state: 'up',
  ipv4: { enabled: true, dhcp: true },
});

function interfaceFields(
  state: NetworkForm,
  position: number,
  cardNames: readonly string[],
  set: ChangeNetwork,
): HTMLElement {
  const one = state.interfaces[position] as InterfaceForm;
  const path = `network.interfaces.${position}`;
  const change = (members: object): void => set((current) => changeInterface(current, position, members));
  const specific: HTMLElement[] = [];
  if (one.type === 'bond') {
    specific.push(
      choiceField(HOST_FORM.mode, `${path}.mode`, HOST_FORM.bondModes, one.mode ?? '', (mode) => change({ mode })),
    );
  }
  if ('ports' in one || one.type === 'bond' || one.type === 'linux-bridge' || one.type === 'ovs-bridge') {
    const chosen = one.ports ?? [];
    const names = [...new Set([...chosen, ...freePorts(state, cardNames)])].filter((name) => name !== one.name);
    specific.push(manyField(HOST_FORM.ports, `${path}.ports`, names, chosen, (ports) => change({ ports })));
  }
  if (one.type === 'vlan') {
    specific.push(
      textField(HOST_FORM.vlanBase, `${path}.base`, one.base ?? '', (base) => change({ base })),
      textField(HOST_FORM.vlanId, `${path}.id`, `${one.id ?? ''}`, (id) => change({ id: numberOf(id) }), NUMBER),
    );
  }
  return element(
    'fieldset',
    { className: 'group interface stack' },
    element('legend', {}, one.name, ' ', element('span', { className: 'badge' }, HOST_FORM.typeOf(one.type))),
    element(
      'div',
      { className: 'fields' },
      textField(HOST_FORM.name, `${path}.name`, one.name, (name) => change({ name })),
      ...specific,
      ...FAMILIES.flatMap((family) => addressFields(one, family, path, change)),
      textField(HOST_FORM.mtu, `${path}.mtu`, `${one.mtu ?? ''}`, (mtu) => change({ mtu: numberOf(mtu) }), NUMBER),
    ),
    element(
      'div',
      {},
      button(HOST_FORM.remove, () => set((current) => removeInterface(current, one.name)), {
        'aria-label': HOST_FORM.removeInterface(one.name),
      }),
    ),
  );
}

const NUMBER = { inputMode: 'numeric' };

/** A value that is not a number is reported as out of range, at its field. */
function numberOf(text: string): number | undefined {
  return text === '' ? undefined : Number(text);
}

function addressFields(
  one: InterfaceForm,
  family: Family,
  path: string,
  change: (members: object) => void,
): HTMLElement[] {
  const form = one[family];
  const addressing = addressingOf(form);
  const addresses = form?.addresses ?? [];
  const { keep, ...others } = HOST_FORM.addressing;
  const choices = addressing === 'keep' ? { keep, ...others } : others;
  const set = (next: Addressing, list: readonly string[]): void => {
    change({ [family]: withAddressing(family, next, list) });
  };
  const title = HOST_FORM.families[family];
  const choose = (next: Addressing): void => set(next, next === 'static' && addresses.length === 0 ? [''] : addresses);
  const fields = [choiceField(title, `${path}.${family}`, choices, addressing, choose)];
  if (addressing === 'static' || (addressing === 'keep' && form?.enabled === true)) {
    fields.push(
      textField(
        HOST_FORM.addresses(title),
        `${path}.${family}.addresses`,
        addresses.join(', '),
        (text) => set('static', listOf(text)),
        { placeholder: HOST_FORM.addressHelp[family] },
      ),
    );
  }
  return fields;
}

function routing(state: NetworkForm, set: ChangeNetwork): HTMLElement {
  const through: Readonly<Record<string, string>> = {
    '': HOST_FORM.anyInterface,
    ...Object.fromEntries(state.interfaces.map(({ name }) => [name, name])),
  };
  const gateways = FAMILIES.flatMap((family) => {
    const at = gatewayOf(state, family);
    const label = HOST_FORM.gateway[family];
    const position = state.routes.findIndex(({ gateway }) => gateway === at.address && at.address !== '');
    const path = `network.routes.${position === -1 ? state.routes.length : position}`;
    const fields = [
      textField(label, `${path}.gateway.${family}`, at.address, (address) =>
        set((current) => withGateway(current, family, address, gatewayOf(current, family).through)),
      ),
    ];
    if (at.address !== '') {
      fields.push(
        choiceField(HOST_FORM.gatewayInterface, `${path}.interface.${family}`, through, at.through, (name: string) =>
          set((current) => withGateway(current, family, gatewayOf(current, family).address, name)),
        ),
      );
    }
    return fields;
  });
  const { servers } = state.dns;
  return group(
    HOST_FORM.routes,
    element(
      'div',
      { className: 'fields' },
      ...gateways,
      textField(HOST_FORM.dnsServers, 'network.dns.servers', servers.join(', '), (text) =>
        set((current) => ({ ...current, dns: { ...current.dns, servers: listOf(text) } })),
      ),
    ),
  );
}
