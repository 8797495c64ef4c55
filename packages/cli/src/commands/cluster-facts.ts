import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { formatDiagnostics, type Outcome } from '@coreiso/diagnostics';
import { type ClusterFacts, factsFromObjects, parseClusterFacts } from '@coreiso/nodes-config';
import { sortByBytes } from '@coreiso/peers/go';
import { inContext } from '../frame/failure.ts';
import { readNamed } from '../frame/input.ts';
import type { Terminal } from '../frame/terminal.ts';
import { parseValues } from '../frame/values.ts';

/** Reads cluster facts from a file, a directory or standard input. */
export async function readFacts(terminal: Terminal, given: string): Promise<ClusterFacts> {
  const files = await filesOf(terminal, given);
  if (files !== undefined) {
    const objects: unknown[] = [];
    for (const file of files) objects.push(...parseValues(await readNamed(terminal, file), file));
    return accepted(factsFromObjects(objects), given, terminal);
  }
  return accepted(parseClusterFacts(await readNamed(terminal, given)), given, terminal);
}

/** Returns the files of a directory, or undefined for anything else. */
export async function filesOf(terminal: Terminal, given: string): Promise<string[] | undefined> {
  const isFolder =
    given !== '-' && (await inContext(`cannot read ${given}`, () => stat(terminal.path(given)))).isDirectory();
  if (!isFolder) return undefined;
  const entries = await inContext(`cannot read ${given}`, () => readdir(terminal.path(given)));
  const names = sortByBytes(entries.filter((name) => /\.(?:ya?ml|json)$/.test(name)));
  if (names.length === 0) throw new Error(`${given} has no .yaml or .json files`);
  return names.map((name) => join(given, name));
}

function accepted(outcome: Outcome<ClusterFacts>, file: string, terminal: Terminal): ClusterFacts {
  // Without the source lines: one may contain the pull secret.
  const findings = formatDiagnostics(outcome.diagnostics, { file });
  if (!outcome.ok) throw new Error(`${file} does not describe a cluster\n\n${findings}`);
  if (findings !== '') terminal.sayText(findings);
  return outcome.value;
}
