// Fills a policy with captures from its own `current` state. nmstate then merges both states by rules for each property and writes
// the remaining changes; a policy that needs an existing part of `current` is refused here.
import { type Diagnostic, fail, member, type Node, type Outcome, parseYaml, succeed } from '@coreiso/diagnostics';
import { linksOf, type NetworkState } from '@coreiso/nmstate';
import { evaluatePolicy } from '@coreiso/nmstate/forms';

/** Returns the state for keyfiles: the text itself if it has no captures. */
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

/** Returns the sections and interfaces that are in both states. */
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
