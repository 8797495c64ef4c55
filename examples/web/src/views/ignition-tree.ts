// An Ignition config as a tree: `data:` URLs are decoded, and nested configs are branches.
import { type Config, contentsOf, findExpiries, redact } from '@coreiso/ignition';
import { IGNITION } from '../texts/ignition.ts';
import type { Block, SecretDisplay, TreeNode, View } from './blocks.ts';

export function ignitionView(config: Config | undefined, { secrets }: SecretDisplay): View {
  if (config === undefined) {
    return { blocks: [{ kind: 'sentence', tone: 'hint', text: IGNITION.empty }], hidesSecrets: false };
  }
  const safe = redact(config);
  const nodes = members(secrets === 'shown' ? config : safe, '');
  const expiries = findExpiries(config).map((expiry): Block => {
    const { kind, name, notAfter, within } = expiry;
    const text = IGNITION.expiry(IGNITION[kind](name), notAfter.toISOString().replace('.000Z', 'Z'), within.join(', '));
    return { kind: 'sentence', tone: 'plain', text };
  });
  const hidesSecrets = secrets === 'hidden' && JSON.stringify(safe) !== JSON.stringify(config);
  return { blocks: [...expiries, { kind: 'tree', label: IGNITION.label, nodes }], hidesSecrets };
}

/** No realistic config is deeper. */
const DEEPEST = 64;

function members(value: object, path: string, depth = 0): TreeNode[] {
  const entries = Array.isArray(value)
    ? value.map((item, index) => [itemName(item, index), item])
    : Object.entries(value);
  const seen = new Map<string, number>();
  return (entries as [string, unknown][]).map(([name, member]) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return nodeOf(name, member, `${path}/${name}${count === 1 ? '' : ` ${count}`}`, depth);
  });
}

/** Files are identified by path, units and users by name: moving one in the list is no change. */
function itemName(item: unknown, index: number): string {
  const { path, name, device } = (item ?? {}) as Record<string, unknown>;
  const found = [path, name, device].find((one) => typeof one === 'string' && one !== '');
  return typeof found === 'string' ? found : `${index + 1}`;
}

function nodeOf(name: string, value: unknown, key: string, depth: number): TreeNode {
  if (typeof value !== 'object' || value === null) return { key, name, value: String(value) };
  if (depth > DEEPEST) return { key, name, value: '…' };
  const held = contents(value);
  const children = [
    ...members(held === undefined ? value : without(value), key, depth + 1),
    ...unpacked(held, key, depth),
  ];
  if (children.length === 0) return { key, name, value: Array.isArray(value) ? '[]' : '{}' };
  return { key, name, children, ...(Array.isArray(value) ? { value: IGNITION.count(value.length) } : {}) };
}

function contents(value: object): Uint8Array | undefined {
  const { source, compression } = value as { source?: unknown; compression?: unknown };
  if (typeof source !== 'string' || !source.startsWith('data:')) return undefined;
  return contentsOf({ source, ...(typeof compression === 'string' ? { compression } : {}) });
}

function without(value: object): object {
  const { source: _, compression: __, ...rest } = value as Record<string, unknown>;
  return rest;
}

/** The contents of a URL: a config as a branch, a text unchanged, other data by its size. */
function unpacked(held: Uint8Array | undefined, key: string, depth: number): TreeNode[] {
  if (held === undefined) return [];
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(held);
  } catch {
    return [{ key: `${key}/contents`, name: 'contents', value: IGNITION.binary(held.length) }];
  }
  const nested = configIn(text);
  if (nested !== undefined) {
    return [{ key: `${key}/nested`, name: IGNITION.nested, children: members(nested, `${key}/nested`, depth + 1) }];
  }
  return [{ key: `${key}/contents`, name: 'contents', value: text }];
}

function configIn(text: string): object | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    const value = JSON.parse(text) as { ignition?: { version?: unknown } };
    return typeof value.ignition?.version === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
