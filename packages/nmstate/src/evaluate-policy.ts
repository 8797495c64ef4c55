import { fail, type Node, type Outcome, succeed } from '@coreiso/diagnostics';
import { checkArgument } from '@coreiso/peers/arguments';
import type { StateInput } from './generate.ts';
import type { NetworkState } from './generated/types.ts';
import { type AnyInput, ownFinding, Places, readTree, type Tree, upstreamFinding } from './state/input.ts';
import { fillPolicy, parsePolicy } from './state/policy-filling.ts';
import { readState } from './state/read-state.ts';
import { type WrittenState, writtenState } from './state/written.ts';
import type { TableMismatch } from './table/state-findings.ts';

/**
 * Evaluates a policy for a host: its captures run against the host's current state, and their results fill `desired`. Results and
 * errors are those of `nmstatectl policy`, but nothing is read from the local machine. Without a current state, the `current` of
 * the policy is used.
 *
 * @example
 * for (const [node, state] of states) {
 *   const outcome = evaluatePolicy(policy, state);
 *   console.log(node, outcome.ok ? outcome.value : outcome.diagnostics[0]?.message);
 * }
 */
export function evaluatePolicy(policy: StateInput, currentState?: StateInput): Outcome<NetworkState> {
  checkArgument('policy', policy, 'state');
  if (currentState !== undefined) checkArgument('currentState', currentState, 'state');
  return evaluateInputs(policy, currentState) as Outcome<NetworkState>;
}

function evaluateInputs(policy: AnyInput, given: AnyInput | undefined): Outcome<WrittenState> {
  const tree = readTree(policy);
  if (!tree.ok) return tree;
  const { root, document } = tree;
  const failed = (mismatches: readonly TableMismatch[], describe = ownFinding): Outcome<never> => {
    const places = new Places(root, document, new Map());
    return fail(...mismatches.map((mismatch) => places.diagnosticAt(describe(mismatch), mismatch.place)));
  };
  if (root === undefined) return succeed(writtenState({ interfaces: [] }, undefined));
  const parsed = parsePolicy(root);
  if (parsed.mismatches.length > 0) return failed(parsed.mismatches);
  const [capture] = parsed.captures;
  const own = parsed.current && ({ ok: true, root: parsed.current, document } as const);
  const current = given === undefined ? own : readTree(given);
  if (capture !== undefined && current === undefined) return failed([withoutCurrent(capture.key)]);
  const state = capture === undefined || current === undefined ? succeed({}) : readCurrent(current);
  if (!state.ok) return state;
  const { filled: wanted, mismatches } = fillPolicy(parsed, state.value);
  if (mismatches.length > 0) return failed(mismatches);
  const reading = readState(wanted, 'json', parsed.path);
  return reading.mismatches.length > 0
    ? failed(reading.mismatches, upstreamFinding)
    : succeed(writtenState(reading.state, wanted));
}

/** Reads a state into the form in which nmstate writes it. */
function readCurrent(tree: Tree): Outcome<WrittenState> {
  if (!tree.ok) return tree;
  const { root, document } = tree;
  const { state: read, mismatches, spellings } = readState(root, document === undefined ? 'json' : 'yaml', []);
  const places = new Places(root, document, spellings);
  if (mismatches.length === 0) return succeed(writtenState(read, root));
  return fail(
    ...mismatches.map((mismatch) => {
      const finding = ownFinding(mismatch);
      return places.diagnosticAt({ ...finding, message: `in the current state: ${finding.message}` }, mismatch.place);
    }),
  );
}

/** The finding for captures without a current state. */
function withoutCurrent(place: Node): TableMismatch {
  return {
    place,
    path: ['capture'],
    code: 'nmstate/capture',
    message: 'captures need a current state',
    upstream: 'capture',
    help: 'Give the state of a host, as `nmstatectl show` prints it.',
  };
}
