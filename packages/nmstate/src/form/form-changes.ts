// The changes to a text that turn one form into another. They have to be made in order.
import type { Change, Path, Plain } from '@coreiso/diagnostics';
import { ADDRESS_FIELDS, type Field, fieldsOf, ROUTE_FIELDS, RULE_FIELDS } from './fields.ts';
import { listChanges } from './list-changes.ts';
import {
  addressState,
  type FormPart,
  interfaceState,
  itemState,
  routeState,
  ruleState,
  valueState,
} from './state-of.ts';
import type { InterfaceForm, NetworkForm, RouteForm, RuleForm } from './types.ts';

export function* formChanges(before: NetworkForm, after: NetworkForm, at: Path): Generator<Change> {
  yield* listChanges({
    path: [...at, 'interfaces'],
    before: before.interfaces,
    after: after.interfaces,
    keyOf: ({ name, type }) => `${name} ${type}`,
    canBecome: (one, other) => one.type === other.type,
    toValue: interfaceState,
    changes: interfaceChanges,
  });
  yield* partChanges([...at, 'routes', 'config'], before.routes, after.routes, ROUTE_FIELDS, routeState);
  yield* partChanges([...at, 'route-rules', 'config'], before.rules, after.rules, RULE_FIELDS, ruleState);
  for (const [key, name] of [
    ['server', 'servers'],
    ['search', 'search'],
  ] as const) {
    yield* textChanges([...at, 'dns-resolver', 'config', key], before.dns[name], after.dns[name], 'texts');
  }
}

function* interfaceChanges(path: Path, before: InterfaceForm, after: InterfaceForm): Generator<Change> {
  const fields = fieldsOf(after.type);
  yield* fieldChanges(path, { name: before.name }, { name: after.name }, [
    { name: 'name', path: ['name'], kind: 'text' },
  ]);
  yield* fieldChanges(path, { ...before }, { ...after }, [...fields.before, ...fields.after]);
  for (const family of ['ipv4', 'ipv6'] as const) {
    const [old, next] = [before[family], after[family]];
    const here = [...path, family];
    if (old !== undefined && next !== undefined) yield* fieldChanges(here, { ...old }, { ...next }, ADDRESS_FIELDS);
    else if (next !== undefined) yield { do: 'set', path: here, value: addressState({ ...next }) };
    else if (old !== undefined) yield { do: 'remove', path: here };
  }
}

function* fieldChanges(path: Path, before: FormPart, after: FormPart, fields: readonly Field[]): Generator<Change> {
  for (const { name, path: below, kind } of fields) {
    const [old, next] = [before[name], after[name]];
    const here = [...path, ...below];
    if (Array.isArray(next) || Array.isArray(old)) {
      if (next === undefined) yield { do: 'remove', path: here };
      else yield* textChanges(here, old as string[] | undefined, next as string[], kind);
    } else if (old !== next) {
      yield next === undefined
        ? { do: 'remove', path: here }
        : { do: 'set', path: here, value: valueState(next, kind) };
    }
  }
}

/** Changes to lists of texts; the state may have maps for some of them. */
function* textChanges(
  path: Path,
  before: readonly string[] | undefined,
  after: readonly string[],
  kind: Field['kind'],
): Generator<Change> {
  yield* listChanges<string>({
    path,
    before: before ?? [],
    after,
    keyOf: (text) => text,
    canBecome: () => true,
    toValue: (text) => itemState(text, kind),
    *changes(here, old, next) {
      if (old === next) return;
      if (kind === 'named') yield { do: 'set', path: [...here, 'name'], value: next };
      else if (kind === 'addresses') yield* addressChanges(here, old, next);
      else yield { do: 'set', path: here, value: next };
    },
  });
}

function* addressChanges(path: Path, before: string, after: string): Generator<Change> {
  const [ip, length] = before.split('/');
  const [nextIp = '', nextLength] = after.split('/');
  if (ip !== nextIp) yield { do: 'set', path: [...path, 'ip'], value: nextIp };
  if (length !== nextLength && nextLength !== undefined)
    yield { do: 'set', path: [...path, 'prefix-length'], value: BigInt(nextLength) };
}

function* partChanges<T extends RouteForm | RuleForm>(
  path: Path,
  before: readonly T[],
  after: readonly T[],
  fields: readonly Field[],
  toValue: (part: T) => Plain,
): Generator<Change> {
  yield* listChanges<T>({
    path,
    before,
    after,
    keyOf: (part) => JSON.stringify(fields.map(({ name }) => (part as FormPart)[name] ?? null)),
    canBecome: () => true,
    toValue,
    changes: (here, old, next) => fieldChanges(here, { ...old }, { ...next }, fields),
  });
}
