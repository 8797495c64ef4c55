// The capture language of policies, on the nodes of a given `current` state: `PATH`, `PATH == VALUE`, `PATH := VALUE`, each
// optionally behind `capture.NAME |`. A value is a text, `null` or a path, which may begin with `capture.NAME`.
import { type MappingNode, member, type Node, type ScalarNode, serdeYaml } from '@coreiso/diagnostics';

/** Why an expression has no result. */
export class CaptureProblem {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** A result is a state again: the parts of its input that matched. */
export type Captures = ReadonlyMap<string, MappingNode>;

interface Expression {
  readonly input: string | undefined;
  readonly path: readonly string[];
  readonly action: '==' | ':=' | undefined;
  readonly value: string | undefined;
}

const EXPRESSION = /^(?:capture\.([^\s.|]+)\s*\|\s*)?([^\s="|:!]+)\s*(?:(==|:=)\s*("[^"]*"|[^\s="|:!]+))?$/;

/** Runs the captures in an order in which each finds what it refers to. */
export function runCaptures(captures: MappingNode, current: MappingNode): Captures | CaptureProblem {
  const results = new Map<string, MappingNode>();
  let waiting: (readonly [string, Expression])[] = [];
  for (const { key, value } of captures.entries) {
    const expression = value.kind === 'scalar' ? parseExpression(value.text.trim()) : undefined;
    const name = key.kind === 'scalar' ? key.text : '';
    if (expression === undefined)
      return new CaptureProblem(`capture ${name} is not an expression such as interfaces.name == "eth0"`);
    waiting.push([name, expression]);
  }
  while (waiting.length > 0) {
    const ready = waiting.filter(([, expression]) => referredCaptures(expression).every((name) => results.has(name)));
    if (ready.length === 0)
      return new CaptureProblem(`capture ${waiting[0]?.[0]} refers to a capture that is not there`);
    for (const [name, expression] of ready) {
      const result = runExpression(expression, current, results);
      if (result instanceof CaptureProblem) return new CaptureProblem(`capture ${name}: ${result.message}`);
      results.set(name, result);
    }
    waiting = waiting.filter(([name]) => !results.has(name));
  }
  return results;
}

/** What a path such as `capture.first.interfaces.0.name` leads to. */
export function captured(path: string, captures: Captures): Node | CaptureProblem {
  const [keyword, name = '', ...rest] = path.split('.');
  const state = keyword === 'capture' ? captures.get(name) : undefined;
  if (state === undefined) return new CaptureProblem(`${path} does not refer to a capture`);
  return follow(state, rest) ?? new CaptureProblem(`${path} leads to nothing`);
}

function parseExpression(line: string): Expression | undefined {
  const parts = EXPRESSION.exec(line);
  if (parts === null) return undefined;
  const [, input, path = '', action, value] = parts;
  return { input, path: path.split('.'), action: action === '==' || action === ':=' ? action : undefined, value };
}

function referredCaptures({ input, value, path }: Expression): string[] {
  const paths = [path.join('.'), value ?? ''].filter((text) => text.startsWith('capture.'));
  const names = paths.map((text) => text.split('.')[1] ?? '');
  return input === undefined ? names : [input, ...names];
}

function runExpression(expression: Expression, current: MappingNode, captures: Captures): MappingNode | CaptureProblem {
  const { action, value } = expression;
  const [first, second = '', ...rest] = expression.path;
  const isQualified = first === 'capture';
  const name = expression.input ?? (isQualified ? second : undefined);
  const path = isQualified ? rest : expression.path;
  const input = name === undefined ? current : captures.get(name);
  if (input === undefined) return new CaptureProblem(`there is no capture ${name}`);
  if (action === undefined || value === undefined) return retained(input, path);
  const wanted = wantedValue(value, current, captures);
  if (wanted instanceof CaptureProblem) return wanted;
  const depth = path[0] === 'interfaces' ? 1 : 2;
  const items = follow(input, path.slice(0, depth));
  if (path.length <= depth || items?.kind !== 'sequence')
    return new CaptureProblem(`${path.join('.')} leads to no list`);
  const property = path.slice(depth);
  const found =
    action === '=='
      ? items.items.filter((item) => hasValue(follow(item, property), wanted ?? ''))
      : items.items.map((item) => replaced(item, property, wanted));
  if (found.length === 0) return new CaptureProblem(`nothing with ${property.join('.')}=${wanted} found`);
  return wrapped(path.slice(0, depth), { ...items, items: found });
}

function wantedValue(written: string, current: MappingNode, captures: Captures): string | null | CaptureProblem {
  if (written.startsWith('"')) return written.slice(1, -1);
  if (written.toLowerCase() === 'null') return null;
  if (!written.includes('.')) return written;
  const node = written.startsWith('capture.') ? captured(written, captures) : follow(current, written.split('.'));
  if (node instanceof CaptureProblem) return node;
  return node === undefined ? new CaptureProblem(`${written} leads to nothing`) : nodeText(node);
}

function hasValue(node: Node | undefined, wanted: string): boolean {
  if (node?.kind === 'sequence') return node.items.some((item) => hasValue(item, wanted));
  return node !== undefined && nodeText(node) === wanted;
}

function nodeText(node: Node): string {
  if (node.kind === 'scalar') return String(serdeYaml(node));
  if (node.kind === 'sequence') return `[${node.items.map(nodeText).join(',')}]`;
  return `{${node.entries.map(({ key, value }) => `${nodeText(key)}:${nodeText(value)}`).join(',')}}`;
}

/** Through a list by number, or into all its items at once. */
function follow(node: Node, path: readonly string[]): Node | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return node;
  if (node.kind === 'mapping') {
    const next = member(node, step)?.value;
    return next && follow(next, rest);
  }
  if (node.kind === 'scalar') return undefined;
  const item = /^[0-9]+$/.test(step) ? node.items[Number(step)] : undefined;
  if (item !== undefined) return follow(item, rest);
  return { ...node, items: node.items.flatMap((entry) => follow(entry, path) ?? []) };
}

function replaced(node: Node, path: readonly string[], value: string | null): Node {
  const [step, ...rest] = path;
  if (step === undefined) return textNode(value ?? 'null', value === null ? 'plain' : 'double', node);
  const entries = node.kind === 'mapping' ? node.entries : [];
  const known = entries.findLast(({ key }) => key.kind === 'scalar' && key.text === step);
  const below = known?.value ?? emptyMapping(node);
  const entry = { key: known?.key ?? textNode(step, 'double', node), value: replaced(below, rest, value) };
  return { ...emptyMapping(node), entries: [...entries.filter((other) => other !== known), entry] };
}

/** The input without all that is not on the path. */
function retained(input: MappingNode, path: readonly string[]): MappingNode {
  const [step, ...rest] = path;
  const entries = input.entries
    .filter(({ key }) => key.kind === 'scalar' && key.text === step)
    .map(({ key, value }) => ({
      key,
      value: value.kind === 'mapping' && rest.length > 0 ? retained(value, rest) : value,
    }));
  return { ...input, entries };
}

function wrapped(path: readonly string[], node: Node): MappingNode {
  return path.reduceRight<Node>(
    (value, step) => ({ ...emptyMapping(node), entries: [{ key: textNode(step, 'double', node), value }] }),
    node,
  ) as MappingNode;
}

function emptyMapping({ start, end }: Node): MappingNode {
  return { kind: 'mapping', entries: [], tag: undefined, start, end };
}

function textNode(text: string, style: ScalarNode['style'], { start, end }: Node): ScalarNode {
  return { kind: 'scalar', text, style, tag: undefined, start, end };
}
