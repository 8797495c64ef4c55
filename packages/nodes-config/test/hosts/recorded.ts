// The recorded host-network cases, parsed and planned as the command line does, in compatible mode.
import { Goldens } from '../../../../test/support/goldens.ts';
import { parseNodesConfig } from '../../src/documents/nodes-config.ts';
import type { NodesConfig } from '../../src/documents/types.ts';
import type { ClusterFacts } from '../../src/facts/facts.ts';
import type { PlannedFile } from '../../src/hosts/file-tree.ts';
import { type HostPlans, planHosts } from '../../src/hosts/plan-hosts.ts';
import type { Machine } from '../../src/hosts/simulate.ts';

interface RecordedFile {
  readonly mode: string;
  readonly contents: string;
}

interface RecordedBoot extends Machine {
  readonly directory: string;
  readonly matched: readonly string[];
  readonly nameClashes: readonly string[];
  readonly files: readonly (RecordedFile & { readonly name: string })[] | null;
  readonly defect?: true;
}

interface Recording {
  readonly cluster: string;
  readonly errors: readonly string[];
  readonly files?: readonly (RecordedFile & { readonly path: string; readonly owner: string })[];
  readonly mappingScript?: boolean;
  readonly boots?: readonly RecordedBoot[];
}

const goldens = new Goldens(new URL('../goldens/host-network.json', import.meta.url));

/** The cases that upstream accepts: all but one. */
export const recordings = goldens.paths(/^[^_].*\.yaml$/).flatMap((path) => {
  const name = path.replace(/\.yaml$/, '');
  const recording = goldens.json<Recording>(`${name}.json`);
  const { files, boots = [] } = recording;
  return files === undefined ? [] : [{ name, text: goldens.text(path), recording, files, boots }];
});

export function read(text: string, clusterPath: string): { config: NodesConfig; cluster: ClusterFacts } {
  const cluster = goldens.json<ClusterFacts>(clusterPath);
  const config = parseNodesConfig(text, { cluster, mode: 'compatible' });
  if (!config.ok) throw new Error(`refused: ${config.diagnostics.map(({ message }) => message).join('; ')}`);
  return { config: config.value, cluster };
}

export function plan(text: string, clusterPath: string): HostPlans {
  return planHosts(read(text, clusterPath).config);
}

export function octal(mode: number): string {
  return `0${mode.toString(8)}`;
}

export function listed({ path, mode, owner, contents }: PlannedFile): object {
  return { path, mode: octal(mode), owner, contents };
}
