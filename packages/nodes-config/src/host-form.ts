// Turns one host of a nodes-config or an agent-config into fields of a page, and back into the text.
import {
  applyEdits,
  type Change,
  type Diagnostic,
  editsFor,
  fail,
  goYaml,
  nodeAt,
  type Outcome,
  type Path,
  parseYaml,
  succeed,
  type TextDocument,
  toPlain,
} from '@coreiso/diagnostics';
import { type FormOptions, fromForm, type NetworkForm, toForm } from '@coreiso/nmstate/forms';
import { checkArgument } from '@coreiso/peers/arguments';
import { canonicalMac } from '@coreiso/peers/go';
import { isObject, listOf, textOf } from '@coreiso/peers/members';
import { configDiagnostic } from './text/codes.ts';

/** A host with the fields of a form. */
export interface HostForm {
  hostname: string;
  role: string;
  /** The names that the network uses, and the MAC addresses of their interfaces. */
  interfaces: { name: string; macAddress: string }[];
  /** Undefined if addresses come from the network. */
  network: NetworkForm | undefined;
}

/**
 * Reads the fields of one host; the first is 0. Invalid parts are left out of the form but stay in the text.
 *
 * @example
 * const form = hostToForm(text, 0);
 * form.hostname = 'worker-0';
 */
export function hostToForm(text: string, index: number): HostForm {
  checkArgument('text', text, 'text');
  checkArgument('index', index, 'number');
  const [outcome] = parseYaml(text, { flavour: 'go' });
  return readForm(outcome.ok ? outcome.value : undefined, index);
}

function readForm(document: TextDocument | undefined, index: number): HostForm {
  const root = document?.root;
  const host = root && listOf(toPlain(root, goYaml), 'hosts')[index];
  const hasNetwork = isObject(host) && isObject(host['networkConfig']);
  return {
    hostname: textOf(host, 'hostname'),
    role: textOf(host, 'role'),
    interfaces: listOf(host, 'interfaces').map((one) => ({
      name: textOf(one, 'name'),
      macAddress: textOf(one, 'macAddress'),
    })),
    network: root && hasNetwork ? toForm({ node: nodeAt(root, ['hosts', index, 'networkConfig']) }) : undefined,
  };
}

/**
 * Writes the fields of one host into a text; an index just past the last host adds one. The rest of the text stays as it is.
 * Invalid fields become findings with their path.
 *
 * @example
 * const next = hostFromForm(form, text, 0);
 * if (next.ok) console.log(next.value);
 */
export function hostFromForm(
  form: HostForm,
  text: string,
  index: number,
  { judge }: Pick<FormOptions, 'judge'> = {},
): Outcome<string> {
  checkArgument('form', form, 'object');
  checkArgument('text', text, 'text');
  checkArgument('index', index, 'number');
  const [outcome] = parseYaml(text, { flavour: 'go' });
  if (!outcome.ok) return outcome;
  const wrong = form.interfaces.flatMap(({ macAddress }, position) =>
    canonicalMac(macAddress) === undefined ? [wrongMac(macAddress, ['interfaces', position, 'macAddress'])] : [],
  );
  if (wrong.length > 0) return fail(...wrong);
  const written = withChanges(text, outcome.value, [...changesOf(readForm(outcome.value, index), form, index)]);
  if (!written.ok) return written;
  const at = ['hosts', index, 'networkConfig'];
  const networked = form.network === undefined ? written : fromForm(form.network, written.value, { at });
  if (!networked.ok) return { ok: false, diagnostics: networked.diagnostics.map(inNetwork) };
  const judged = judge === undefined ? networked : judge(networked.value);
  return judged.ok ? networked : { ok: false, diagnostics: judged.diagnostics };
}

/** Findings about fields have the path of the field; those about the text have a place in it. */
function inNetwork(finding: Diagnostic): Diagnostic {
  return finding.range === undefined ? { ...finding, path: ['network', ...finding.path] } : finding;
}

function wrongMac(text: string, path: Path): Diagnostic {
  return configDiagnostic({
    code: 'nodes-config/mac-invalid',
    message: `\`${text}\` is not a MAC address`,
    path,
    help: 'Write it as 52:54:00:00:00:01.',
  });
}

function* changesOf(before: HostForm, after: HostForm, index: number): Generator<Change> {
  const at = ['hosts', index];
  for (const name of ['hostname', 'role'] as const) {
    if (before[name] === after[name]) continue;
    yield after[name] === ''
      ? { do: 'remove', path: [...at, name] }
      : { do: 'set', path: [...at, name], value: after[name] };
  }
  const { length } = after.interfaces;
  for (let last = before.interfaces.length - 1; last >= length; last -= 1)
    yield { do: 'remove', path: [...at, 'interfaces', last] };
  if (before.interfaces.length === 0 && length > 0) {
    yield { do: 'set', path: [...at, 'interfaces'], value: after.interfaces.map((one) => ({ ...one })) };
    return;
  }
  for (const [position, one] of after.interfaces.entries()) {
    const old = before.interfaces[position];
    const path = [...at, 'interfaces', position];
    if (old === undefined) yield { do: 'insert', path, value: { ...one } };
    for (const name of ['name', 'macAddress'] as const)
      if (old !== undefined && old[name] !== one[name]) yield { do: 'set', path: [...path, name], value: one[name] };
  }
  if (before.network !== undefined && after.network === undefined)
    yield { do: 'remove', path: [...at, 'networkConfig'] };
}

function withChanges(text: string, document: TextDocument, changes: readonly Change[]): Outcome<string> {
  let current = text;
  let read = document;
  for (const change of changes) {
    const edits = editsFor(read, change);
    if (!edits.ok) return edits;
    current = applyEdits(current, edits.value);
    const [outcome] = parseYaml(current, { flavour: 'go' });
    if (!outcome.ok) return outcome;
    read = outcome.value;
  }
  return succeed(current);
}
