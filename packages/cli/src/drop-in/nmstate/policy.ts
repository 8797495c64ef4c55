// A policy with captures, filled by the `current` state that it brings along. nmstate then merges both states by rules of every
// property and writes what is left to change; a policy that needs something of what there is already is refused here.
import { type Diagnostic, fail, member, type Node, type Outcome, parseYaml, succeed } from '@coreiso/diagnostics';
import { linksOf, type NetworkState } from '@coreiso/nmstate';
import { evaluatePolicy } from '@coreiso/nmstate/forms';

/** The state that keyfiles are written of: the text itself where nothing is captured. */
export function filledPolicy(text: string): Outcome<string | NetworkState> {
  const [outcome] = parseYaml(text);
  const root = outcome.ok ? outcome.value.root : undefined;
  const captures = memberOf(root, 'capture');
  if (captures?.kind !== 'mapping' || captures.entries.length === 0) return succeed(text);
  const filled = evaluatePolicy(text);
  if (!filled.ok) return filled;
  const shared = sharedParts(filled.value, memberOf(root, 'current')).map(mergeRefused);
  return shared.length > 0 ? fail(...shared) : filled;
}

function memberOf(node: Node | undefined, name: string): Node | undefined {
  return node?.kind === 'mapping' ? member(node, name)?.value : undefined;
}

/** The interfaces of both states, by name. */
function sharedParts(desired: NetworkState, current: Node | undefined): string[] {
  if (current === undefined) return [];
  const sections = Object.keys(desired).filter(
    (name) => name !== 'interfaces' && memberOf(current, name) !== undefined,
  );
  const existing = new Set(linksOf({ node: current }).map(({ name }) => name));
  return [...sections, ...(desired.interfaces ?? []).map(({ name }) => name).filter((name) => existing.has(name))];
}

function mergeRefused(name: string): Diagnostic {
  const message = `\`${name}\` is in \`current\` as well, and nmstate would merge the two and write what is left to change`;
  return { severity: 'error', code: 'nmstate/capture', message, path: ['desired'] };
}
