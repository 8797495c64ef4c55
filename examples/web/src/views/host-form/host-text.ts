// Reads the host of a form from the text of its document, and writes it back; runs in the worker, because texts can be long.
import { type Diagnostic, member, type Outcome, parseYaml } from '@coreiso/diagnostics';
import { generateKeyfiles } from '@coreiso/nmstate';
import { fromForm, toForm } from '@coreiso/nmstate/forms';
import { type HostForm, hostFromForm, hostToForm } from '@coreiso/nodes-config';

/** Kinds of documents that a form can fill. */
export type FormKind = 'nodes-config' | 'agent-config' | 'network-state';

export interface HostInText {
  readonly kind: FormKind;
  readonly text: string;
  readonly position: number;
}

export interface FormState {
  readonly form: HostForm;
  /** Names of all hosts in the text; undefined for a network state, which has no host around it. */
  readonly hosts: readonly string[] | undefined;
}

export function readHost({ kind, text, position }: HostInText): FormState {
  if (kind === 'network-state') {
    return { form: { hostname: '', role: '', interfaces: [], network: toForm(text) }, hosts: undefined };
  }
  return { form: hostToForm(text, position), hosts: hostNames(text) };
}

function hostNames(text: string): string[] {
  const [outcome] = parseYaml(text, { flavour: 'go' });
  const root = outcome.ok ? outcome.value.root : undefined;
  const hosts = root?.kind === 'mapping' ? member(root, 'hosts')?.value : undefined;
  if (hosts?.kind !== 'sequence') return [];
  return hosts.items.map((host, index) => {
    const name = host.kind === 'mapping' ? member(host, 'hostname')?.value : undefined;
    return name?.kind === 'scalar' && name.text !== '' ? name.text : `host-${index}`;
  });
}

/** The new text. Findings about fields have the path of the field. */
export function writeHost({
  kind,
  text,
  position,
  form,
}: HostInText & { readonly form: HostForm }): Outcome<string, Diagnostic> {
  if (kind === 'network-state') {
    const network = form.network ?? { interfaces: [], routes: [], rules: [], dns: { servers: [], search: [] } };
    const outcome = fromForm(network, text, { judge: (state) => generateKeyfiles(state, { mode: 'compatible' }) });
    return outcome.ok ? outcome : { ok: false, diagnostics: outcome.diagnostics.map(inNetwork) };
  }
  return hostFromForm(form, text, position);
}

function inNetwork(finding: Diagnostic): Diagnostic {
  return finding.range === undefined ? { ...finding, path: ['network', ...finding.path] } : finding;
}
