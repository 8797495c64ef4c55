// Converts a form or a part of it to a state: plain data for new parts of a text.
import type { Plain } from '@coreiso/diagnostics';
import { ADDRESS_FIELDS, type Field, fieldsOf, ROUTE_FIELDS, RULE_FIELDS } from './fields.ts';
import type { InterfaceForm, NetworkForm, RouteForm, RuleForm } from './types.ts';

type Members = { [name: string]: Plain };

/** Any part of a form: its fields by name. */
export type FormPart = Readonly<Record<string, unknown>>;

export function stateOf({ interfaces, routes, rules, dns }: NetworkForm): Plain {
  return {
    interfaces: interfaces.map(interfaceState),
    ...(dns.servers.length + dns.search.length === 0 ? {} : { 'dns-resolver': { config: dnsState(dns) } }),
    ...(routes.length === 0 ? {} : { routes: { config: routes.map(routeState) } }),
    ...(rules.length === 0 ? {} : { 'route-rules': { config: rules.map(ruleState) } }),
  };
}

function dnsState({ servers, search }: NetworkForm['dns']): Plain {
  return { ...(search.length === 0 ? {} : { search }), ...(servers.length === 0 ? {} : { server: servers }) };
}

export function interfaceState(form: InterfaceForm): Plain {
  const { name, type, ipv4, ipv6 } = form;
  const { before, after } = fieldsOf(type);
  const part: FormPart = { state: 'up', ...form };
  return {
    name,
    ...(type === '' ? {} : { type }),
    ...fieldState(part, before),
    ...(ipv4 && { ipv4: addressState(ipv4 as FormPart) }),
    ...(ipv6 && { ipv6: addressState(ipv6 as FormPart) }),
    ...fieldState(part, after),
  };
}

export function addressState(form: FormPart): Plain {
  return fieldState(form, ADDRESS_FIELDS);
}

export function routeState(form: RouteForm): Plain {
  return fieldState(form as FormPart, ROUTE_FIELDS);
}

export function ruleState(form: RuleForm): Plain {
  return fieldState(form as FormPart, RULE_FIELDS);
}

function fieldState(form: FormPart, fields: readonly Field[]): Members {
  const result: Members = {};
  for (const { name, path, kind } of fields) {
    const value = form[name];
    if (value === undefined) continue;
    let members = result;
    for (const step of path.slice(0, -1)) {
      const inner = (members[step] ?? {}) as Members;
      members[step] = inner;
      members = inner;
    }
    members[path.at(-1) ?? ''] = valueState(value, kind);
  }
  return result;
}

/** A value as written for a new key. */
export function valueState(value: unknown, kind: Field['kind']): Plain {
  if (kind === 'number') return BigInt(Number(value));
  if (!Array.isArray(value)) return value as Plain;
  return value.map((item) => itemState(String(item), kind));
}

export function itemState(text: string, kind: Field['kind']): Plain {
  if (kind === 'named') return { name: text };
  if (kind !== 'addresses') return text;
  const [ip = '', length] = text.split('/');
  return { ip, ...(length === undefined ? {} : { 'prefix-length': BigInt(length) }) };
}
