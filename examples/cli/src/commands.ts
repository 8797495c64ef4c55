// Each command takes paths, does one thing with the packages, and returns the text to print.
import { readFile } from 'node:fs/promises';
import { formatDiagnostics, type Outcome } from '@coreiso/diagnostics';
import { validate } from '@coreiso/ignition';
import { edit, formatInspection, inspect, openLiveImage } from '@coreiso/iso';
import { fileSource, writeCopy } from '@coreiso/iso/node';
import { parseClusterFacts, parseNodesConfig } from '@coreiso/nodes-config';
import { buildNodesImage, planNodes } from '@coreiso/openshift';
import { writeOutputs } from '@coreiso/openshift/node';

/** The user's text has errors; the message has every finding with its line. */
export class Refusal extends Error {}

export async function embed(live: string, config: string, target: string): Promise<string> {
  const text = await readFile(config, 'utf8');
  accepted(validate(text), text, config);
  await using base = await fileSource(live);
  const { overlay, summary } = await edit(await openLiveImage(base), { ignition: text });
  await writeCopy(overlay, target);
  return `${target}: ${summary.initrd.used} bytes embedded`;
}

export async function show(path: string): Promise<string> {
  await using image = await fileSource(path);
  return formatInspection(await inspect(image)).trimEnd();
}

export async function nodesImage(live: string, nodes: string, cluster: string, folder: string): Promise<string> {
  const text = await readFile(nodes, 'utf8');
  const known = await readFile(cluster, 'utf8');
  const facts = accepted(parseClusterFacts(known), known, cluster);
  const plan = planNodes(accepted(parseNodesConfig(text, { cluster: facts }), text, nodes), { cluster: facts });
  await using base = await fileSource(live);
  const paths = await writeOutputs(await buildNodesImage(base, plan, { grow: true }), folder);
  return paths.join('\n');
}

function accepted<T>(outcome: Outcome<T>, text: string, file: string): T {
  if (outcome.ok) return outcome.value;
  throw new Refusal(formatDiagnostics(outcome.diagnostics, { text, file }));
}
