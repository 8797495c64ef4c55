import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { formatDiagnostics } from '@coreiso/diagnostics';
import { type ClusterFacts, factsFromObjects } from '@coreiso/nodes-config';
import type { Arguments } from '../frame/arguments.ts';
import type { Terminal } from '../frame/terminal.ts';
import { readNamed } from './nodes-config-file.ts';
import { parseValues } from './nodes-values.ts';

/** The `--cluster` of a command: facts, or what `oc get -o yaml` and `-o json` printed, in one file or many. */
export async function readCluster(args: Arguments, terminal: Terminal): Promise<ClusterFacts | undefined> {
  const given = args.optional('cluster');
  if (given === undefined) return undefined;
  const values: unknown[] = [];
  for (const file of await filesOf(terminal, given)) values.push(...parseValues(await readNamed(terminal, file), file));
  const [only] = values;
  if (values.length === 1 && isObject(only) && !('kind' in only)) return checkedFacts(only, given);
  const outcome = factsFromObjects(values);
  const findings = formatDiagnostics(outcome.diagnostics, { file: given });
  if (!outcome.ok) throw new Error(`the objects in ${given} do not describe a cluster\n\n${findings}`);
  if (findings !== '') terminal.say(findings);
  return outcome.value;
}

async function filesOf(terminal: Terminal, given: string): Promise<string[]> {
  if (given === '-' || !(await stat(terminal.path(given))).isDirectory()) return [given];
  const names = (await readdir(terminal.path(given))).filter((name) => /\.(?:ya?ml|json)$/.test(name)).sort();
  if (names.length === 0) throw new Error(`${given} has no .yaml or .json files`);
  return names.map((name) => join(given, name));
}

/** What each fact is; those that are left out may be anything. */
const FACTS: Readonly<Record<keyof ClusterFacts, 'text' | 'list' | 'object' | 'boolean'>> = {
  name: 'text',
  clusterId: 'text',
  version: 'text',
  releaseImage: 'text',
  platform: 'text',
  apiServerUrl: 'text',
  pullSecret: 'text',
  nodes: 'list',
  proxy: 'object',
  imageDigestMirrors: 'list',
  repositoryDigestMirrors: 'list',
  trustBundle: 'text',
  workerUserData: 'object',
  sshKey: 'text',
  fips: 'boolean',
  chronyConf: 'text',
};

function checkedFacts(facts: object, file: string): ClusterFacts {
  const members = new Map(Object.entries(facts));
  for (const [name, kind] of Object.entries(FACTS)) {
    const value: unknown = members.get(name);
    if (value !== undefined && kindOf(value) !== kind) {
      throw new Error(`${file}: cluster fact ${name} must be ${kind === 'object' ? 'an object' : `a ${kind}`}`);
    }
  }
  return facts;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'string') return 'text';
  return isObject(value) ? 'object' : typeof value;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
