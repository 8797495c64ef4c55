import { isAbsolute, join } from 'node:path';
import { type ByteSource, type LiveImage, openLiveImage } from '@coreiso/iso';
import { nativeGzip } from '@coreiso/iso/node';
import { type ClusterFacts, type NodesConfig, parseNodesConfig } from '@coreiso/nodes-config';
import {
  buildNodesImage,
  type ImageSetOptions,
  type NodesImage,
  type NodesPlan,
  planNodes,
  type ReportWriter,
} from '@coreiso/openshift';
import type { Arguments } from '../../frame/arguments.ts';
import type { BaseFacts } from '../../frame/base.ts';
import type { Action } from '../../frame/command.ts';
import { refuseTerminal, STDOUT, writeToStdout } from '../../frame/output.ts';
import { sizeText } from '../../frame/size.ts';
import { isAddress, withBase } from '../../frame/source.ts';
import { isStore } from '../../frame/store.ts';
import type { Terminal } from '../../frame/terminal.ts';
import { UsageError } from '../../frame/usage.ts';
import { showAdvice } from './advice/shown-advice.ts';
import { readPlannedCluster } from './cluster.ts';
import {
  type ConfigFile,
  configFindingData,
  readConfigFile,
  showConfigFindings,
  withConfigLines,
} from './config-file.ts';
import { withFailureReport } from './failure-report.ts';
import {
  credentialLines,
  imageCredentials,
  prepareTargets,
  type Report,
  type Target,
  writeTargets,
} from './outputs.ts';
import { planOptions, readStatusToken, TOKENS_FILE, tokenOutputs, warnWithoutStatusPort } from './plan-options.ts';
import { singleHostConfig } from './single-host.ts';
import { checkStoreOptions, storedText, storeImages, withStoredBase } from './store-images.ts';

/** `coreiso nodes image`: writes everything or nothing. */
export const image: Action = async (args, terminal) => {
  if (args.optional('output') === STDOUT) refuseTerminal(terminal);
  if (!args.has('report') && !writesIntoFolder(args)) return await makeImage(args, terminal);
  return await withFailureReport(outputOf(args), terminal, (report) => makeImage(args, terminal, report));
};

async function makeImage(args: Arguments, terminal: Terminal, report?: ReportWriter): Promise<number> {
  report?.begin('add-nodes-cluster-inspection');
  const file = (await singleHostConfig(args, terminal)) ?? (await readConfigFile(args, terminal));
  const planned = await readPlannedCluster(args, terminal);
  const isStored = isStore(args.optional('output') ?? '');
  if (isStored) checkStoreOptions(args);
  report?.begin('create-manifest');
  const config = await readConfig(file, planned.facts, args, terminal);
  if (config === undefined) return 1;
  showAdvice(config, planned.facts, file, terminal);
  if (args.has('config-iso')) {
    const { writeConfigIso } = await import('./config-iso.ts');
    return await writeConfigIso(config, file, planned, args, terminal);
  }
  const work = async (base: ByteSource): Promise<number> => {
    const live = await openLiveImage(base, { signal: terminal.io.signal });
    if (!(await fitsBase(config, live, file, planned.facts, args, terminal))) return 1;
    report?.begin('ignition');
    const statusToken = await readStatusToken(args, terminal, keepsReport(args) ? 'new' : 'none');
    const plan = planNodes(config, { ...(await planOptions(args, terminal, planned)), statusToken });
    const facts = baseFacts(config, planned.facts);
    const options = await imageOptions({ live, plan, facts }, args, terminal);
    if (isStored) {
      refuseTokens(plan);
      warnWithoutStatusPort(args, terminal, plan);
      showConfigFindings(terminal, file, withConfigLines(plan.diagnostics, config));
      await storeImageSet(live, plan, options, args, terminal);
      return 0;
    }
    const image = await build(live, plan, report, options);
    const tokens = args.optional('output') === STDOUT ? [] : tokenOutputs(plan, planned);
    const built = { ...image, outputs: [...image.outputs, ...tokens] };
    showConfigFindings(terminal, file, withConfigLines([...built.diagnostics, ...plan.diagnostics], config));
    if (args.optional('output') === STDOUT) await printImage(built, terminal);
    else await writeImageSet(built, plan, args, terminal);
    return 0;
  };
  const address = args.optional('base') ?? '';
  beginFetch(address, planned.facts, report);
  return isStore(address)
    ? await withStoredBase(terminal, address, work)
    : await withBase(terminal, args, baseFacts(config, planned.facts), work);
}

/** Begins the stages of upstream: extracts a base of the release, downloads a base with an address. */
function beginFetch(address: string, facts: ClusterFacts | undefined, report: ReportWriter | undefined): void {
  report?.begin('fetch-base-iso');
  const isOfRelease = address.startsWith('release:') || (address === '' && facts?.releaseImage !== undefined);
  if (isOfRelease) report?.begin('fetch-base-iso.extract-image');
  else if (address === '' || isAddress(address)) report?.begin('fetch-base-iso.download-image');
}

/** The expected properties of the base image. */
export function baseFacts({ imageArchitecture }: NodesConfig, cluster: ClusterFacts | undefined): BaseFacts {
  return { ...cluster, architecture: imageArchitecture };
}

/** Returns the destination of images. As in `oc`, `--dir` is a directory, and an output name is relative to it. */
function outputOf(args: Arguments): string | undefined {
  const dir = args.optional('dir');
  const output = args.optional('output-name') ?? args.optional('output');
  if (dir === undefined) return output;
  return output === undefined ? join(dir, '/') : isAbsolute(output) ? output : join(dir, output);
}

/** Whether images go into a directory, where `oc` leaves a report of each failure, even without `--report`. */
function writesIntoFolder(args: Arguments): boolean {
  return keepsReport(args) && (args.has('dir') || outputOf(args)?.endsWith('/') === true);
}

/** Whether a report keeps the token of the status port; without its token an open port is useless. */
function keepsReport(args: Arguments): boolean {
  const output = args.optional('output') ?? '';
  // A store gets the same fleet repeatedly, and the same plan has to give the same images.
  return output !== STDOUT && !isStore(output);
}

/** Refuses new tokens: they differ each time, and a store is no place for them. */
function refuseTokens({ credentials }: NodesPlan): void {
  if (credentials === undefined) return;
  throw new UsageError('--join service writes tokens beside the image: write to a file, or pass --join direct');
}

/** Whether the base is for the machines of the config; if not, shows the finding at its line. */
export async function fitsBase(
  { imageArchitecture }: NodesConfig,
  { architecture }: LiveImage,
  file: ConfigFile,
  cluster: ClusterFacts | undefined,
  args: Arguments,
  terminal: Terminal,
): Promise<boolean> {
  const isKnown = imageArchitecture !== undefined && architecture !== undefined;
  if (!isKnown || imageArchitecture === architecture) return true;
  return (await readConfig(file, cluster, args, terminal, architecture)) !== undefined;
}

/** Reads the config and checks it against the cluster and the base; shows its findings. */
export async function readConfig(
  file: ConfigFile,
  cluster: ClusterFacts | undefined,
  args: Arguments,
  terminal: Terminal,
  baseArchitecture?: LiveImage['architecture'],
): Promise<NodesConfig | undefined> {
  const mode = args.has('compatible') ? 'compatible' : 'strict';
  const config = parseNodesConfig(file.bytes, { cluster, mode, baseArchitecture });
  showConfigFindings(terminal, file, config.diagnostics);
  if (!config.ok && args.has('json')) {
    await terminal.printJson({ outputs: [], diagnostics: config.diagnostics.map(configFindingData) });
  }
  return config.ok ? config.value : undefined;
}

async function build(
  base: LiveImage,
  plan: NodesPlan,
  report: ReportWriter | undefined,
  options: ImageSetOptions,
): Promise<NodesImage> {
  return await buildNodesImage(base, plan, {
    ...options,
    report,
    // Images of single hosts use their own compression, which compresses shared data once.
    ...(options.perHost ? {} : { compression: nativeGzip }),
  });
}

/** The inputs of images. */
interface Ingredients {
  readonly live: LiveImage;
  readonly plan: NodesPlan;
  readonly facts: BaseFacts;
}

/** Returns the address of the root file system of a minimal image; undefined if it is beside the boot files. */
async function rootfsUrl(
  { live, plan, facts }: Ingredients,
  args: Arguments,
  terminal: Terminal,
): Promise<string | undefined> {
  const isBeside = (args.optional('artifacts-url') ?? plan.bootArtifactsBaseURL) !== '';
  const given = args.optional('rootfs-url');
  if (given !== undefined || isBeside || !args.has('minimal')) return given;
  const [{ Bases }, { rootfsUrlOf }] = await Promise.all([
    import('../../frame/base.ts'),
    import('../base/rootfs-url.ts'),
  ]);
  return await rootfsUrlOf(new Bases(terminal, args, facts), { base: args.optional('base'), image: live, facts });
}

async function imageOptions(ingredients: Ingredients, args: Arguments, terminal: Terminal): Promise<ImageSetOptions> {
  const baseSha256 = args.optional('base-sha256');
  const url = args.optional('artifacts-url');
  return {
    perHost: args.has('per-host'),
    form: args.has('pxe') ? 'pxe' : args.has('minimal') ? 'minimal-iso' : 'iso',
    grow: !args.has('no-grow'),
    signal: terminal.io.signal,
    baseSha256,
    bootArtifactsBaseURL: url,
    rootfsUrl: await rootfsUrl(ingredients, args, terminal),
  };
}

async function storeImageSet(
  base: LiveImage,
  plan: NodesPlan,
  options: ImageSetOptions,
  args: Arguments,
  terminal: Terminal,
): Promise<void> {
  const { outputs, report } = await storeImages(base, plan, options, args, terminal);
  const { join, outcome, expires, hosts } = plan;
  if (args.has('json')) {
    const diagnostics = plan.diagnostics.map(configFindingData);
    await terminal.printJson({ outputs, join, expires, credentials: imageCredentials(plan), report, diagnostics });
    return;
  }
  const end =
    expires === undefined
      ? []
      : [`The images stop installing after ${expires}. Make the same images again with --valid-until ${expires}`];
  await terminal.showLines([
    ...storedText(outputs),
    ...outcomeText(hosts.length, outcome),
    ...end,
    ...credentialLines(imageCredentials(plan)),
  ]);
}

function outcomeText(count: number, outcome: string): string[] {
  return [`For ${count} ${count === 1 ? 'host' : 'hosts'}. ${outcome}`];
}

async function printImage({ outputs }: NodesImage, terminal: Terminal): Promise<void> {
  const [only, ...others] = outputs;
  if (only === undefined || others.length > 0) {
    throw new UsageError(`cannot write ${outputs.length} files to standard output: name a directory`);
  }
  await writeToStdout(terminal, only.source);
}

async function writeImageSet(built: NodesImage, plan: NodesPlan, args: Arguments, terminal: Terminal): Promise<void> {
  const { status: _, ...report } = built.report;
  const targets = await prepareTargets(
    terminal,
    args.has('minimal') ? built.outputs.map(withInstallerLayout) : built.outputs,
    {
      output: outputOf(args),
      report: reportOf(built, args),
      replace: args.has('force'),
    },
  );
  await writeTargets(terminal, targets, { replace: args.has('force'), durable: args.has('sync') });
  if (args.has('json')) {
    await terminal.printJson({
      outputs: targets.map(({ path, source }) => ({ path, size: source.size })),
      join: plan.join,
      expires: plan.expires,
      credentials: imageCredentials(plan),
      // The token stays in the file.
      report,
      diagnostics: [...built.diagnostics, ...plan.diagnostics].map(configFindingData),
    });
  } else await terminal.showLines(summary(targets, built, plan));
}

/** Puts the files of a minimal image where `agent create image` puts them. */
function withInstallerLayout<T extends NodesImage['outputs'][number]>(output: T): T {
  return output.name.endsWith('-rootfs.img') ? { ...output, name: `boot-artifacts/${output.name}` } : output;
}

/** Uses the name of `oc` if a report was requested; a report that keeps a token is named after its image. */
function reportOf({ report }: NodesImage, args: Arguments): Report | undefined {
  if (args.has('report')) return { contents: report, name: 'report.json' };
  return report.status === undefined ? undefined : { contents: report, name: 'beside-image' };
}

function summary(targets: readonly Target[], { notes, report }: NodesImage, plan: NodesPlan): string[] {
  const { hosts, outcome, expires } = plan;
  const files = targets.map(({ path, source }) => `${path}  ${sizeText(source.size)}`);
  const end = expires === undefined ? [] : [`The image stops installing after ${expires}.`];
  const reports = targets.filter(({ path }) => path.endsWith('report.json'));
  const monitor =
    report.status === undefined
      ? []
      : reports.map(({ path }) => `Watch the hosts: coreiso nodes monitor --report ${path}`);
  const tokens = targets
    .filter(({ path }) => path.endsWith(TOKENS_FILE))
    .map(({ path }) => `Give the cluster the tokens that nodes monitor uses: oc apply -f ${path}`);
  const lines = credentialLines(imageCredentials(plan));
  return [...files, '', ...notes, ...outcomeText(hosts.length, outcome), ...end, ...lines, ...monitor, ...tokens];
}
