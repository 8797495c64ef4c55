// The user's own manifests in `openshift/`, which are applied while the cluster is installed.
import { goYaml, type Node, type Plain, toPlain, writeGoYaml } from '@coreiso/diagnostics';
import { fileNameFault } from '@coreiso/peers/file-name';
import { compareBytes } from '@coreiso/peers/go';
import { manifestRefusal, refusalFinding } from '../rules/registration.ts';
import { configDiagnostic } from '../text/codes.ts';
import type { FileDiagnostic, Mode } from '../text/config-findings.ts';
import { readAll } from '../text/read-text.ts';
import type { Texts } from './cluster-directory.ts';

const NAME = /^openshift\/([^/]+)(\.ya?ml)$/;

/** Splits files into one document each, with sorted keys; empty documents do not count. */
export function readExtraManifests(
  files: Texts,
  mode: Mode,
): { readonly value: Texts; readonly diagnostics: readonly FileDiagnostic[] } {
  const value: Record<string, string> = {};
  const diagnostics: FileDiagnostic[] = [];
  for (const path of Object.keys(files).sort(compareBytes)) {
    const [, base, extension] = NAME.exec(path) ?? [];
    if (base === undefined || extension === undefined) continue;
    const reading = readAll(files[path] ?? '', prefixOf(path), mode);
    if (!reading.ok) {
      diagnostics.push(...reading.findings.diagnostics().map((one) => ({ ...one, file: path })));
      continue;
    }
    const roots = reading.documents.flatMap(({ root, range }) => (isEmptyDocument(root) ? [] : [{ root, range }]));
    for (const [position, { root, range }] of roots.entries()) {
      const manifest = toPlain(root, goYaml);
      const name = `${base}-${position}${extension}`;
      const fault = nameFault(name) ?? faultOf(path, root, manifest);
      if (fault !== undefined) {
        const finding = { code: 'nodes-config/extra-manifest', path: [], ...fault } as const;
        diagnostics.push({ ...configDiagnostic(finding, range(root)), upstream: fault.upstream, file: path });
      }
      const text = writeGoYaml(manifest);
      const refusal = manifestRefusal(name, text);
      if (refusal !== undefined) {
        const severity = mode === 'strict' ? 'error' : 'warning';
        const finding = { ...refusalFinding([], refusal), severity } as const;
        diagnostics.push({ ...configDiagnostic(finding, range(root)), upstream: false, file: path });
      }
      value[name] = text;
    }
  }
  return { value, diagnostics };
}

function prefixOf(path: string): string {
  return `could not decode YAML for ${path}: Error reading multiple YAMLs: `;
}

function isEmptyDocument(root: Node | undefined): root is undefined {
  return root === undefined || (root.kind === 'scalar' && goYaml(root) === null);
}

interface Fault {
  readonly message: string;
  readonly help: string;
  readonly upstream: boolean;
}

/** The image contains the file under that name. */
function nameFault(name: string): Fault | undefined {
  const fault = fileNameFault(name);
  if (fault === undefined) return undefined;
  const message = `invalid file name ${JSON.stringify(name)}: ${fault}`;
  return { message, help: 'Rename the file.', upstream: false };
}

function faultOf(path: string, root: Node, manifest: Plain): Fault | undefined {
  if (root.kind !== 'mapping') {
    const target = 'Go value of type image.unstructured';
    const words = `error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${kindOf(manifest)} into ${target}`;
    return { message: `${prefixOf(path)}${words}`, help: 'Write a map of keys and values.', upstream: true };
  }
  if (!holdsNode(manifest)) return undefined;
  return {
    message:
      'a Node among the extra manifests breaks the installation: machines register themselves, and the service waits for them',
    help: 'Remove it; label nodes once they exist, or with a MachineConfig.',
    upstream: false,
  };
}

/** The name of a JSON type in messages of Go's decoder. */
function kindOf(value: Plain): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value === 'string' ? 'string' : 'number';
}

function holdsNode(manifest: Plain): boolean {
  if (typeof manifest !== 'object' || manifest === null || Array.isArray(manifest)) return false;
  const { kind, items } = manifest as { readonly [name: string]: Plain };
  return kind === 'Node' || (kind === 'List' && Array.isArray(items) && items.some(holdsNode));
}
