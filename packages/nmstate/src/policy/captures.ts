// Runs the captures of a policy against a state; states are plain data, as in nmstate.
import type { Plain } from '@coreiso/diagnostics';
import { type Command, inOrder, type Operand } from './command.ts';
import {
  debugMembers,
  type Members,
  type Mention,
  matches,
  membersOf,
  onlyAt,
  textOf,
  valueAt,
  valueIfThere,
  withValue,
} from './json.ts';
import { PolicyProblem, problemAt } from './problem.ts';

/** The results of captures by name, which are states too. */
export type Captures = ReadonlyMap<string, Members>;

/** Reads plain data as a state, or returns the mismatch. */
export type Retype = (state: Members) => { readonly state: Members } | { readonly mismatch: string };

export function runCaptures(
  commands: readonly (readonly [name: string, command: Command])[],
  current: Members,
  retype: Retype,
): Captures {
  const captures = new Map<string, Members>();
  for (const [name, command] of inOrder(commands)) captures.set(name, run(command, current, captures, retype));
  return captures;
}

function run(command: Command, current: Members, captures: Captures, retype: Retype): Members {
  const { line, key, action, inputAt } = command;
  const source = (name: string | undefined): Members => {
    const state = name === undefined ? current : captures.get(name);
    if (state === undefined) throw problemAt(line, inputAt, `Capture ${name} not found`);
    return state;
  };
  const input = source(command.input);
  if (action === undefined) return key === undefined ? input : retyped(onlyAt(input, key.steps), retype);
  const value = operandValue(action.value, source(action.from));
  if (key === undefined) throw new PolicyProblem('Bug', 'The NetworkCaptureCommand.key is not Path');
  const [section = '', ...steps] = key.steps;
  const kind = SECTIONS[section];
  if (kind === undefined) throw new PolicyProblem('InvalidArgument', `Unsupported capture keyword '${section}'`);
  const found = new SearchResult(kind, { line, at: key.at + section.length + 1 }, retype);
  return action.kind === '==' ? found.matching(input, steps, value ?? '') : found.changed(input, steps, value);
}

function retyped(state: Members, retype: Retype): Members {
  const result = retype(state);
  return 'state' in result ? result.state : state;
}

/** The text of an operand; undefined for null. */
function operandValue(operand: Operand, state: Members): string | undefined {
  if (operand.kind === 'null') return undefined;
  if (operand.kind === 'value') return operand.text;
  const value = valueAt(state, operand.steps, operand);
  return value === null ? undefined : textOf(value);
}

/** A part of a state with a list to search. */
interface SearchableList {
  readonly section: string;
  /** The name of an item in nmstate. */
  readonly item: string;
  readonly noun: string;
  /** The lists in the section; empty if the section itself is a list. */
  readonly lists: readonly string[];
}

const SECTIONS: Readonly<Record<string, SearchableList>> = {
  interfaces: { section: 'interfaces', item: 'interface', noun: 'interface', lists: [] },
  routes: { section: 'routes', item: 'route', noun: 'route', lists: ['running', 'config'] },
  'route-rules': { section: 'route-rules', item: 'route_rule', noun: 'route rule', lists: ['config'] },
};

class SearchResult {
  readonly #kind: SearchableList;
  readonly #mention: Mention;
  readonly #retype: Retype;

  constructor(kind: SearchableList, mention: Mention, retype: Retype) {
    this.#kind = kind;
    this.#mention = mention;
    this.#retype = retype;
  }

  /** The state with only the items that have the value. */
  matching(state: Members, steps: readonly string[], value: string): Members {
    const { list, path } = this.#split(steps, ['search', 'searching']);
    const items = itemsOf(state, this.#kind.section, list).filter((item) => {
      const found = membersOf(item);
      const own = found && valueIfThere(found, path);
      return own !== undefined && matches(own, value);
    });
    if (items.length > 0) return this.#state(list, items);
    const { line, at } = this.#mention;
    throw problemAt(line, at, `${this.#kind.item} with '${path.join('.')}=${value}' not found`);
  }

  /** The state with the value set in all items. */
  changed(state: Members, steps: readonly string[], value: string | undefined): Members {
    const { list, path } = this.#split(steps, ['replace', 'replacing']);
    const items = itemsOf(state, this.#kind.section, list).map((item) => {
      const next = withValue(membersOf(item) ?? {}, path, value ?? null);
      const result = this.#retype(this.#state(list, [next]));
      if ('state' in result) return itemsOf(result.state, this.#kind.section, list)[0] ?? null;
      throw new PolicyProblem(
        'Bug',
        `Failed to deserialize ${debugMembers(next)} into ${this.#kind.item}: ${result.mismatch}`,
      );
    });
    return retyped(this.#state(list, items), this.#retype);
  }

  /** Splits a path into list and property; nmstate finds routes and rules by a single property. */
  #split(
    steps: readonly string[],
    [verb, doing]: readonly [string, string],
  ): { list: string | undefined; path: readonly string[] } {
    const { noun, lists } = this.#kind;
    if (lists.length === 0) return { list: undefined, path: steps };
    const [list = '', ...path] = steps;
    const { line, at } = this.#mention;
    if (path.length !== 1) throw problemAt(line, at, `No ${noun} ${verb} pattern found`);
    if (lists.includes(list)) return { list, path };
    const known = lists.map((one) => `'${one}'`).join(' or ');
    // The message has the singular only for a search of routes.
    const all = noun === 'route' && verb === 'search' ? [noun, doing] : [doing, `${noun}s`];
    throw problemAt(line, at, `Only support ${known} keyword for ${all.join(' ')}`);
  }

  #state(list: string | undefined, items: readonly Plain[]): Members {
    const { section } = this.#kind;
    if (list === undefined) return { interfaces: items };
    return { [section]: { [list]: items }, interfaces: [] };
  }
}

function itemsOf(state: Members, section: string, list: string | undefined): readonly Plain[] {
  const value = list === undefined ? state[section] : membersOf(state[section])?.[list];
  return Array.isArray(value) ? value : [];
}
