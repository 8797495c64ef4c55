// Manifests of the user's own in `openshift/`, which the cluster gets while it is installed.
import { diagnostic, goKey, goYaml, type Node, type Plain, toPlain, writeGoYaml } from '@coreiso/diagnostics';
import { compareBytes } from '@coreiso/diagnostics/go';
import type { Mode } from '@coreiso/nodes-config';
import { readAll } from '@coreiso/nodes-config/document';
import type { Texts } from './assets.ts';
import type { ManifestDiagnostic } from './read-manifest.ts';

const NAME = /^openshift\/([^/]+)(\.ya?ml)$/;

/** One file a document, keys sorted; empty documents do not count. */
export function readExtraManifests(
  files: Texts,
  mode: Mode,
): { readonly value: Texts; readonly diagnostics: readonly ManifestDiagnostic[] } {
  const value: Record<string, string> = {};
  const diagnostics: ManifestDiagnostic[] = [];
  for (const path of Object.keys(files).sort(compareBytes)) {
    const [, base, extension] = NAME.exec(path) ?? [];
    if (base === undefined || extension === undefined) continue;
    const reading = readAll(files[path] ?? '', `failed to read ${path}: `, mode);
    if (!reading.ok) {
      diagnostics.push(...reading.findings.diagnostics().map((one) => ({ ...one, file: path })));
      continue;
    }
    const roots = reading.documents.flatMap(({ root, range }) => (root === undefined ? [] : [{ root, range }]));
    for (const [position, { root, range }] of roots.entries()) {
      const manifest = toPlain(root, goYaml, goKey);
      const fault = faultOf(root, manifest, position);
      if (fault !== undefined) {
        const finding = { severity: 'error' as const, code: 'agent-install/extra-manifest', path: [], ...fault };
        diagnostics.push({ ...diagnostic(finding, range(root)), upstream: false, file: path });
      }
      value[`${base}-${position}${extension}`] = writeGoYaml(manifest);
    }
  }
  return { value, diagnostics };
}

function faultOf(root: Node, manifest: Plain, position: number): { message: string; cure: string } | undefined {
  if (root.kind !== 'mapping')
    return { message: `document ${position} is no manifest`, cure: 'Write a map of keys and values.' };
  if (!holdsNode(manifest)) return undefined;
  return {
    message:
      'a Node among the extra manifests breaks the installation: machines register themselves, and the service waits for them',
    cure: 'Remove it; label nodes when they are there, or by a MachineConfig.',
  };
}

function holdsNode(manifest: Plain): boolean {
  if (typeof manifest !== 'object' || manifest === null || Array.isArray(manifest)) return false;
  const { kind, items } = manifest as { readonly [name: string]: Plain };
  return kind === 'Node' || (kind === 'List' && Array.isArray(items) && items.some(holdsNode));
}
