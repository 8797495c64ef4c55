// Parses captures.
import { type CaptureToken, captureTokens } from './capture-tokens.ts';
import type { Mention } from './json.ts';
import { lengthOf } from './line.ts';
import { PolicyProblem, problemAt } from './problem.ts';

interface PathValue extends Mention {
  readonly kind: 'path';
  readonly steps: readonly string[];
}

/** The value to compare with or to write. */
export type Operand = PathValue | { readonly kind: 'value'; readonly text: string } | { readonly kind: 'null' };

/** An operand and the capture that contains it (default: the current state). */
interface SourcedOperand<T> {
  readonly operand: T;
  readonly from: string | undefined;
  /** The position of the capture's name. */
  readonly fromAt: number;
}

export interface Command {
  /** The line without outer blanks. */
  readonly line: string;
  /** The capture that it works on; undefined for the current state. */
  readonly input: string | undefined;
  readonly inputAt: number;
  /** Undefined to keep everything. */
  readonly key: PathValue | undefined;
  /** Undefined to keep only the path of the key. */
  readonly action:
    | { readonly kind: '==' | ':='; readonly value: Operand; readonly from: string | undefined }
    | undefined;
}

export function parseCommand(text: string): Command {
  const line = text.trim().replaceAll('\u00a0', ' ').trim();
  const tokens = captureTokens(line);
  const pipe = tokens.findIndex(({ kind }) => kind === '|');
  const bare = readAction(line, tokens.slice(pipe + 1));
  return pipe === -1 ? bare : { ...bare, input: pipedCapture(line, tokens, pipe), inputAt: 0 };
}

function pipedCapture(line: string, tokens: readonly CaptureToken[], pipe: number): string {
  const [first] = tokens;
  const name =
    first?.kind === 'path' && first.steps.length === 2 && first.steps[0] === 'capture' ? first.steps[1] : undefined;
  // The pipe is the first token if there is nothing before it.
  if (pipe > 0 && name !== undefined) return name;
  throw problemAt(line, first?.at ?? 0, "The pipe action should always in format of 'capture.<capture_name>'");
}

function readAction(line: string, tokens: readonly CaptureToken[]): Command {
  const position =
    tokens.findIndex(({ kind }) => kind === '==') === -1
      ? tokens.findIndex(({ kind }) => kind === ':=')
      : tokens.findIndex(({ kind }) => kind === '==');
  const action = tokens[position];
  if (action === undefined) {
    const [first] = tokens;
    const key = first?.kind === 'path' ? ({ ...first, line } as const) : undefined;
    return { line, input: undefined, inputAt: 0, key, action: undefined };
  }
  const after = tokens.slice(position + 1);
  if (action.kind === '==' && after.length === 0)
    throw problemAt(line, action.at, 'The equal action got no value defined afterwards');
  const { operand: key, from: input, fromAt: inputAt } = readKey(line, tokens.slice(0, position), action.at);
  const { operand: value, from } = readValue(line, after, action.at);
  return { line, input, inputAt, key, action: { kind: action.kind === '==' ? '==' : ':=', value, from } };
}

function readKey(line: string, tokens: readonly CaptureToken[], actionAt: number): SourcedOperand<PathValue> {
  const [token] = tokens;
  if (token?.kind !== 'path' || tokens.length !== 1) {
    const at = tokens.length === 1 ? (token?.at ?? actionAt) : actionAt;
    throw problemAt(line, at, 'The equal or replace action should always start with property path');
  }
  const [first, name = '', ...rest] = token.steps;
  if (first !== 'capture') return { operand: { ...token, line }, from: undefined, fromAt: 0 };
  if (rest.length === 0) throw problemAt(line, token.at, 'No property path after capture name');
  const fromAt = token.at + 'capture.'.length;
  // nmstate adds the bytes of the name here, and forgets the dot after it.
  const at = fromAt + new TextEncoder().encode(name).length;
  return { operand: { kind: 'path', steps: rest, line, at }, from: name, fromAt };
}

function readValue(line: string, tokens: readonly CaptureToken[], actionAt: number): SourcedOperand<Operand> {
  const [token, second] = tokens;
  if (token === undefined || second !== undefined) {
    const message = 'The equal or replace action should end with single value or property path';
    throw problemAt(line, token?.at ?? actionAt, message);
  }
  if (token.kind === 'value' || token.kind === 'null')
    return { operand: literalOperand(token), from: undefined, fromAt: 0 };
  if (token.kind !== 'path') {
    const message = `The equal action should end with single value or property path but got: ${line}`;
    throw new PolicyProblem('InvalidArgument', message);
  }
  const [first, name = '', ...rest] = token.steps;
  if (first !== 'capture') return { operand: { ...token, line }, from: undefined, fromAt: 0 };
  if (rest.length === 0) {
    const message = `When using equal action to match against captured data, the correct format should be 'interfaces.name == capture.default-gw.interfaces.0.name', but got: ${line}`;
    throw new PolicyProblem('InvalidArgument', message);
  }
  const at = token.at + lengthOf(`capture.${name}.`);
  return { operand: { kind: 'path', steps: rest, line, at }, from: name, fromAt: token.at + 'capture.'.length };
}

function literalOperand(token: Extract<CaptureToken, { kind: 'value' | 'null' }>): Operand {
  return token.kind === 'value' ? { kind: 'value', text: token.text } : { kind: 'null' };
}

/** The capture that has to run before. */
function parentOf({ input, action }: Command): string | undefined {
  return input ?? action?.from;
}

const ROUNDS = 10;

/**
 * Sorts captures so that each comes after its parent. nmstate makes ten passes, which are too few for a longer chain in reverse
 * order.
 */
export function inOrder(
  commands: readonly (readonly [name: string, command: Command])[],
): readonly (readonly [string, Command])[] {
  let depths: readonly (number | undefined)[] = commands.map(() => undefined);
  for (let round = 0; round < ROUNDS; round += 1) {
    depths = nextDepths(commands, depths);
    if (depths.every((depth) => depth !== undefined)) {
      return commands
        .map((entry, index) => ({ entry, depth: depths[index] ?? 0 }))
        .sort((a, b) => a.depth - b.depth)
        .map(({ entry }) => entry);
    }
  }
  throw new PolicyProblem(
    'InvalidArgument',
    `Failed to sort the policy capture in ${ROUNDS} round of rotation, please order the capture in desire policy by placing capture before its consumer`,
  );
}

function nextDepths(
  commands: readonly (readonly [string, Command])[],
  before: readonly (number | undefined)[],
): (number | undefined)[] {
  const known = new Map<string, number>();
  for (const [index, [name]] of commands.entries()) {
    const depth = before[index];
    if (depth !== undefined) known.set(name, depth);
  }
  return commands.map(([name, command], index) => {
    const parent = parentOf(command);
    const above = parent === undefined ? 0 : known.get(parent);
    if (above === undefined) return before[index];
    known.set(name, above + 1);
    return above + 1;
  });
}
