// Manifests in one folder: rules about several of them, as the installer reads their directory.
import type { Diagnostic, TextDocument } from '@coreiso/diagnostics';
import { namedRelease, readDirectory } from '@coreiso/nodes-config';
import { withArguments } from '../arguments.ts';
import { read } from '../judge.ts';
import { nodesTo } from '../path-at.ts';

const FOLDER = 'cluster-manifests';
/** The files that the installer reads together. */
const FILES: readonly string[] = [
  ...[
    'agent-cluster-install',
    'cluster-deployment',
    'cluster-image-set',
    'infraenv',
    'nmstateconfig',
    'pull-secret',
  ].map((name) => `${FOLDER}/${name}.yaml`),
  'mirror/registries.conf',
  'mirror/ca-bundle.crt',
];

/** The path of this file in an installer's directory, and the root of that directory. */
function placeOf(uri: string): { readonly root: string; readonly path: string } | undefined {
  const path = FILES.find((one) => uri.endsWith(`/${one}`));
  return path?.startsWith(FOLDER) ? { root: uri.slice(0, -path.length), path } : undefined;
}

/** Whether the findings in one of them may change with the other. */
export function areManifestsTogether(uri: string, other: string): boolean {
  const [one, two] = [placeOf(uri), placeOf(other)];
  return one !== undefined && one.path !== two?.path && one.root === two?.root;
}

/** The findings that a manifest has together with the others; none if no manifest names the release. */
export function findingsBeside(uri: string, textOf: (uri: string) => string | undefined): readonly Diagnostic[] {
  const place = placeOf(uri);
  if (place === undefined) return [];
  const files: Record<string, string> = {};
  for (const path of FILES) {
    const text = textOf(`${place.root}${path}`);
    if (text !== undefined) files[path] = text;
  }
  const release = namedRelease(files);
  if (release === undefined) return [];
  const { diagnostics } = readDirectory(files, { release });
  const { documents } = read('infraenv', files[place.path] ?? '');
  return diagnostics.flatMap(({ file, upstream: _, ...finding }) => {
    // A finding without a place is about the directory: an editor cannot see its recorded state.
    const hasPlace = finding.range !== undefined || finding.path.length > 0;
    if (file !== place.path || !hasPlace) return [];
    const document = documentOf(finding, documents);
    return [withArguments(placed(finding, document), document)];
  });
}

function documentOf({ range }: Diagnostic, documents: readonly TextDocument[]): TextDocument | undefined {
  if (range === undefined) return documents.length === 1 ? documents[0] : undefined;
  const { offset } = range.start;
  return documents.find(({ root }) => root !== undefined && root.start <= offset && offset <= root.end);
}

/** Places the finding at its member, or at the one around it. */
function placed(finding: Diagnostic, document: TextDocument | undefined): Diagnostic {
  if (document === undefined || finding.range !== undefined) return finding;
  const node = nodesTo(document, finding.path).at(-1);
  return node === undefined ? finding : { ...finding, range: document.range(node) };
}
