import { type Node, parseYaml, serdeYaml } from '@coreiso/diagnostics';
import { checkArgument } from '@coreiso/peers/arguments';
import { ADDRESS_FIELDS, type Field, fieldsOf, find, MODES, ROUTE_FIELDS, RULE_FIELDS } from './fields.ts';
import type { AddressForm, InterfaceForm, NetworkForm, RouteForm, RuleForm } from './types.ts';

/**
 * Reads the fields of a form from a network state. A text with mistakes also has a form: it omits invalid parts, which stay in
 * the text.
 *
 * @example
 * const form = toForm(text);
 * form.interfaces.push(vlan({ base: 'bond0', id: 20, ipv4: { address: '192.0.2.20/24' } }));
 */
export function toForm(state: string | { readonly node: Node }): NetworkForm {
  checkArgument('state', state, 'state');
  return readForm(typeof state === 'string' ? rootOf(state) : state.node);
}

function rootOf(text: string): Node | undefined {
  const [outcome] = parseYaml(text);
  return outcome.ok ? outcome.value.root : undefined;
}

export function readForm(root: Node | undefined): NetworkForm {
  const list = (...path: string[]): readonly Node[] => itemsOf(at(root, path));
  return {
    interfaces: list('interfaces').map(readInterface),
    routes: list('routes', 'config').map((node): RouteForm => readFields(node, ROUTE_FIELDS)),
    rules: list('route-rules', 'config').map((node): RuleForm => readFields(node, RULE_FIELDS)),
    dns: {
      servers: list('dns-resolver', 'config', 'server').map(textOf),
      search: list('dns-resolver', 'config', 'search').map(textOf),
    },
  };
}

function readInterface(node: Node): InterfaceForm {
  const type = textOf(at(node, ['type']));
  const { before, after } = fieldsOf(type);
  const addresses = (family: string): Record<string, AddressForm> => {
    const found = at(node, [family]);
    return found === undefined ? {} : { [family]: readFields(found, ADDRESS_FIELDS) };
  };
  const fields = {
    name: textOf(at(node, ['name'])),
    type,
    ...readFields(node, before),
    ...addresses('ipv4'),
    ...addresses('ipv6'),
    ...readFields(node, after),
  };
  // The type determines the fields.
  return fields as InterfaceForm;
}

function readFields(node: Node, fields: readonly Field[]): Record<string, unknown> {
  const entries = fields.flatMap(({ name, path, kind }): [string, unknown][] => {
    const found = at(node, path);
    const value = found && READERS[kind](found);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(entries);
}

const READERS: Readonly<Record<Field['kind'], (node: Node) => unknown>> = {
  text: (node) => textOf(node) || undefined,
  number: (node) => (/^\d{1,15}$/.test(textOf(node)) ? Number(textOf(node)) : undefined),
  flag: (node) => {
    const word = textOf(node).toLowerCase();
    return TRUE_OR_FALSE.get(word);
  },
  mode: (node) => {
    const text = textOf(node);
    const number = /^\d$/.test(text) ? MODES[Number(text)] : undefined;
    return number ?? MODES.find((mode) => mode === text);
  },
  texts: (node) => (node.kind === 'sequence' ? node.items.map(textOf) : undefined),
  named: (node) => (node.kind === 'sequence' ? node.items.map((item) => textOf(at(item, ['name']))) : undefined),
  addresses: (node) => (node.kind === 'sequence' ? node.items.map(addressOf) : undefined),
};

function addressOf(item: Node): string {
  const ip = textOf(at(item, ['ip']));
  const length = textOf(at(item, ['prefix-length']));
  return length === '' ? ip : `${ip}/${length}`;
}

const TRUE_OR_FALSE: ReadonlyMap<string, boolean> = new Map([
  ...['1', 'true', 'yes', 'on', 'y'].map((word) => [word, true] as const),
  ...['0', 'false', 'no', 'off', 'n'].map((word) => [word, false] as const),
]);

function at(node: Node | undefined, path: readonly string[]): Node | undefined {
  let found = node;
  for (const step of path) found = found?.kind === 'mapping' ? find(found, step)?.value : undefined;
  return found;
}

function itemsOf(node: Node | undefined): readonly Node[] {
  return node?.kind === 'sequence' ? node.items : [];
}

/** The text of a name, also if YAML reads it as a number. */
function textOf(node: Node | undefined): string {
  return node?.kind === 'scalar' && serdeYaml(node) !== null ? node.text : '';
}
