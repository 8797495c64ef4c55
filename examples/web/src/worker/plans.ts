// From the documents of a project to the inputs of images. Its findings are those that the language service cannot make.
import type { Diagnostic, Outcome } from '@coreiso/diagnostics';
import { customize } from '@coreiso/ignition/customize';
import { generateKeyfiles } from '@coreiso/nmstate';
import {
  type ClusterFacts,
  type HostPlan,
  parseClusterFacts,
  parseInstallFiles,
  parseNodesConfig,
  planCluster,
} from '@coreiso/nodes-config';
import { planNodes, readSite } from '@coreiso/openshift';
import { words } from '../commands.ts';
import { DOCUMENTS, type DocumentKind, FILE_NAMES, type ProjectData, type Task } from '../project.ts';
import type { HostFacts, PlanFacts } from './facts.ts';
import { reasonOf } from './reason.ts';
import type { OpenBase, PlannedDocuments } from './state.ts';

type ProjectRevision = ProjectData & { readonly revision: number };
type Findings = Partial<Record<DocumentKind, readonly Diagnostic[]>>;

const PLANNERS: Readonly<
  Record<Task, (project: ProjectRevision, base: OpenBase | undefined) => PlannedDocuments | Promise<PlannedDocuments>>
> = {
  nodes: ofNodes,
  cluster: ofCluster,
  live: ofLive,
};

const HOUR = 3_600_000;

/** Reads the documents of the task and plans from them. */
export async function planProject(project: ProjectRevision, base: OpenBase | undefined): Promise<PlannedDocuments> {
  try {
    return await PLANNERS[project.task](project, base);
  } catch (error) {
    return planWithFindings(project, {}, reasonOf(error));
  }
}

function factsOf({ revision, task }: ProjectRevision, members: Partial<PlanFacts>): PlanFacts {
  const nothing = { obstacle: undefined, join: undefined, outcome: undefined, expires: undefined };
  return { revision, task, isReady: false, findings: {}, hosts: [], ...nothing, ...members };
}

function planWithFindings(project: ProjectRevision, findings: Findings, obstacle?: string): PlannedDocuments {
  return { facts: factsOf(project, { findings, obstacle }) };
}

function ofNodes(project: ProjectRevision, base: OpenBase | undefined): PlannedDocuments {
  const { documents, choices } = project;
  const text = documents['nodes-config'];
  const facts = readFacts(documents['cluster-facts']);
  const findings: Findings = { 'cluster-facts': facts?.diagnostics ?? [] };
  if (text.trim() === '') return planWithFindings(project, findings);
  const cluster = facts?.ok === true ? facts.value : undefined;
  const config = parseNodesConfig(text, { cluster, baseArchitecture: base?.image.architecture });
  findings['nodes-config'] = config.diagnostics;
  if (!config.ok || facts?.ok === false) return planWithFindings(project, findings);
  const plan = planNodes(config.value, {
    cluster,
    join: choices.join === '' ? undefined : choices.join,
    expires: choices.validUntil === '' ? undefined : new Date(choices.validUntil),
    // Equal documents give the same plan for an hour, so that views mark changes and not the time.
    now: () => new Date(Math.floor(Date.now() / HOUR) * HOUR),
  });
  const { locate } = config.value.source;
  const placed = plan.diagnostics.map((finding) => {
    const range = finding.range ?? locate(finding.path);
    return range === undefined ? finding : { ...finding, range };
  });
  findings['nodes-config'] = [...config.diagnostics, ...placed];
  const hosts = plan.hosts.map(hostFacts);
  const isReady = !plan.diagnostics.some(({ severity }) => severity === 'error');
  const { join, outcome, expires } = plan;
  return { facts: factsOf(project, { isReady, findings, hosts, join, outcome, expires }), nodes: plan };
}

function readFacts(text: string): Outcome<ClusterFacts> | undefined {
  return text.trim() === '' ? undefined : parseClusterFacts(text);
}

function ofCluster(project: ProjectRevision): PlannedDocuments {
  const { documents, choices } = project;
  const installConfig = documents['install-config'];
  const agentConfig = documents['agent-config'].trim() === '' ? undefined : documents['agent-config'];
  if (installConfig.trim() === '') return planWithFindings(project, {});
  const { releaseImage, version } = choices;
  const files = parseInstallFiles({ installConfig, agentConfig }, version === '' ? {} : { version });
  // The rendezvous host and the machines' actions are known without a release; an image needs one.
  const site =
    releaseImage === '' || version === '' ? undefined : readSite({ installConfig, agentConfig, releaseImage, version });
  const findings: Findings = {};
  for (const kind of DOCUMENTS.cluster)
    findings[kind] = (site ?? files).diagnostics.filter(({ file }) => file === FILE_NAMES[kind]);
  if (!files.ok || site?.ok === false) return planWithFindings(project, findings);
  const cluster = planCluster(site?.value.directory ?? files.value);
  const hosts = cluster.hostPlans.hosts.map(hostFacts);
  return {
    facts: factsOf(project, { isReady: site !== undefined, findings, hosts }),
    cluster,
    ...(site && { site: site.value }),
  };
}

function hostFacts({ name, role, interfaces, network }: HostPlan, position: number): HostFacts {
  const macs = interfaces.map(({ macAddress }) => macAddress);
  return { position, name, role, macs, hasNetwork: network !== undefined };
}

async function ofLive(project: ProjectRevision, base: OpenBase | undefined): Promise<PlannedDocuments> {
  const { documents, choices } = project;
  const input = (kind: DocumentKind): { name: string; read: () => string }[] =>
    documents[kind].trim() === '' ? [] : [{ name: FILE_NAMES[kind], read: () => documents[kind] }];
  const kargs = words(choices.kargs);
  const isInstalled = choices.ignitionFor === 'installed';
  const outcome = await customize(
    {
      networkNmstate: input('network-state'),
      [isInstalled ? 'destIgnition' : 'liveIgnition']: input('ignition'),
      ...(choices.device === '' ? {} : { destDevice: choices.device }),
      ...(kargs.length === 0 ? {} : { liveKargAppend: kargs }),
    },
    {
      // Without an image: the features of today's images.
      features: base === undefined ? LATEST : await base.image.features(),
      kargs: base === undefined || base.image.kargs !== undefined,
      toKeyfiles: (text) => generateKeyfiles(text),
    },
  );
  if (!outcome.ok) return planWithFindings(project, {}, outcome.diagnostics.map(({ message }) => message).join('; '));
  const { changes, description } = outcome.value;
  const isReady = changes.ignition !== null || changes.keyfiles.length > 0 || changes.kargs !== undefined;
  const facts = factsOf(project, { isReady, outcome: description === '' ? undefined : `The image ${description}.` });
  return { facts, customization: outcome.value };
}

const LATEST = { installerConfig: true, liveInitrdNetwork: true, installerConfigDirectives: { console: true } };
