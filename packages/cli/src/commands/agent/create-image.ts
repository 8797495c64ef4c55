import { chmodSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ByteSource, type LiveImage, openLiveImage } from '@coreiso/iso';
import { nativeGzip } from '@coreiso/iso/node';
import { imageFacts, readDirectory } from '@coreiso/nodes-config';
import {
  AGENT_STATE_FILE,
  type AgentImage,
  type AgentSite,
  buildAgentImage,
  buildConfigImage,
  type Credentials,
  imageState,
  makeCredentials,
  signerKeyOf,
} from '@coreiso/openshift';
import { writeOutputs } from '@coreiso/openshift/node';
import type { Arguments } from '../../frame/arguments.ts';
import { type BaseFacts, Bases, registryMirrors } from '../../frame/base.ts';
import type { Action } from '../../frame/command.ts';
import { Failure, inContext } from '../../frame/failure.ts';
import { isAddress, ownBase, withImage } from '../../frame/source.ts';
import type { Terminal } from '../../frame/terminal.ts';
import { writeDirectory } from '../../frame/write-directory.ts';
import { readSiteDirectory, removeConsumed, requiredRelease, type SiteDirectory } from './directory.ts';
import { showSiteFindings, siteFindingData } from './site-findings.ts';

/** The installer's own variable. */
const BASE_VARIABLE = 'OPENSHIFT_INSTALL_OS_IMAGE_OVERRIDE';
const PXE_FOLDER = 'boot-artifacts';

/** `coreiso agent create image`. */
export const createImage: Action = (args, terminal) => create('image', args, terminal);

/** `coreiso agent create pxe-files`. */
export const createPxeFiles: Action = (args, terminal) => create('pxe-files', args, terminal);

/** `coreiso agent create config-image`. */
export const createConfigImage: Action = (args, terminal) => create('config-image', args, terminal);

type OutputKind = 'image' | 'pxe-files' | 'config-image';

async function create(what: OutputKind, args: Arguments, terminal: Terminal): Promise<number> {
  const directory = await readSiteDirectory(args, terminal);
  const release = requiredRelease(args, terminal, directory);
  const { files, previous } = directory;
  const environment = terminal.io.env;
  const options = { environment, version: release.version, release, previous, mode: 'compatible' } as const;
  const outcome = readDirectory(files, options);
  const diagnostics = [...directory.diagnostics, ...outcome.diagnostics];
  if (!args.has('json')) showSiteFindings(terminal, directory, diagnostics);
  if (!outcome.ok) {
    if (args.has('json')) await terminal.printJson({ ...siteFindingData(diagnostics), outputs: [] });
    return 1;
  }
  refuseExisting(directory.dir, args, terminal);
  const site = { directory: outcome.value, release };
  const credentials = await makeCredentials({ clock: () => new Date(), signerKey: signerKeyOf(site) });
  const making = { site, credentials, directory };
  const written =
    what === 'config-image'
      ? await writeOutput(what, await buildConfigImage(site, credentials), making, args, terminal)
      : await buildOnBase(what, making, args, terminal);
  const summary = { ...written, credentials, dir: directory.dir, what };
  if (args.has('json')) await terminal.printJson({ ...siteFindingData(diagnostics), ...resultData(summary) });
  else await terminal.showLines(resultText(summary));
  return 0;
}

async function buildOnBase(
  what: Exclude<OutputKind, 'config-image'>,
  making: ImageInputs,
  args: Arguments,
  terminal: Terminal,
): Promise<WrittenOutput> {
  const { site, credentials } = making;
  const facts = baseFacts(site);
  const named = args.optional('base') ?? (terminal.io.env[BASE_VARIABLE] || undefined);
  const base = named ?? (await ownBase(terminal, args, facts));
  const rootfsUrl = async (image: LiveImage): Promise<string | undefined> => {
    const given = args.optional('rootfs-url');
    const artifacts = args.optional('artifacts-url') ?? site.directory.installFiles?.agentConfig.bootArtifactsBaseURL;
    const isMinimal = what === 'image' && imageFacts(site.directory, site.release).imageType === 'minimal-iso';
    if (given !== undefined || artifacts || !isMinimal) return given;
    const { rootfsUrlOf } = await import('../base/rootfs-url.ts');
    return await rootfsUrlOf(new Bases(terminal, args, facts), { base: named, image, facts });
  };
  const build = async (source: ByteSource): Promise<WrittenOutput> => {
    const url = args.optional('artifacts-url');
    const image = await openLiveImage(source, { signal: terminal.io.signal });
    const built = await buildAgentImage(image, site, credentials, {
      form: what === 'pxe-files' ? 'pxe' : undefined,
      grow: !args.has('no-grow'),
      compression: nativeGzip,
      bootArtifactsBaseURL: url,
      rootfsUrl: await rootfsUrl(image),
      baseUrl: isAddress(base) ? base : undefined,
      signal: terminal.io.signal,
    });
    return await writeOutput(what, built, making, args, terminal);
  };
  return await withImage(terminal, base, build, { use: 'whole', args, facts });
}

type WrittenOutput = Pick<ImageSummary, 'built' | 'paths'>;

async function writeOutput(
  what: OutputKind,
  built: AgentImage,
  making: ImageInputs,
  args: Arguments,
  terminal: Terminal,
): Promise<WrittenOutput> {
  return { built, paths: await write(what, built, making, args, terminal) };
}

/** The release of the directory, and the registries that have it. */
function baseFacts({ directory, release }: AgentSite): BaseFacts {
  const { architecture, osImageStream } = imageFacts(directory, release);
  const { mirrors, insecure } = registryMirrors(directory.registries);
  return {
    version: release.version,
    releaseImage: release.image,
    pullSecret: directory.pullSecret,
    imageDigestMirrors: mirrors,
    insecureRegistries: insecure,
    trustBundle: directory.caBundle,
    osStream: osImageStream,
    architecture,
  };
}

/** Refuses to replace earlier images: a machine may have booted one, and its kubeconfig belongs to it. */
function refuseExisting(dir: string, args: Arguments, terminal: Terminal): void {
  const path = join(dir, 'auth', 'kubeconfig');
  if (args.has('force') || !existsSync(terminal.path(path))) return;
  throw new Failure(`${path} exists: it belongs to an earlier image`, { help: 'pass --force to make a new one' });
}

interface ImageInputs {
  readonly site: AgentSite;
  readonly credentials: Credentials;
  readonly directory: SiteDirectory;
}

/** Writes the images, then the files that the next commands read. Only the rendezvous address is readable by others. */
async function write(
  what: OutputKind,
  built: AgentImage,
  { site, credentials, directory }: ImageInputs,
  args: Arguments,
  terminal: Terminal,
): Promise<string[]> {
  const { dir, files, state: before } = directory;
  const { signal } = terminal.io;
  const outputs = built.outputs.map(({ name, source }) => ({
    name: what !== 'pxe-files' && name.endsWith('.iso') ? name : `${PXE_FOLDER}/${name}`,
    source,
  }));
  const folders = [...new Set(outputs.map(({ name }) => dirname(join(dir, name))))].join(' and ');
  await inContext(`cannot write to ${folders}`, () =>
    terminal.withProgress(`Writing to ${folders}`, (onProgress) =>
      writeOutputs({ outputs }, terminal.path(dir), { replace: args.has('force'), signal, onProgress }),
    ),
  );
  const inputs = args.has('consume') ? 'consumed' : 'kept';
  const state = await imageState(files, site, credentials, { before, inputs });
  const texts = Object.entries(built.files).map(([path, { text }]) => [path, text] as const);
  await inContext(`cannot write to ${dir}`, async () =>
    writeDirectory(terminal.path(dir), {
      ...Object.fromEntries(texts),
      [AGENT_STATE_FILE]: `${JSON.stringify(state, null, 2)}\n`,
    }),
  );
  for (const [path, { mode }] of Object.entries(built.files)) chmodSync(terminal.path(join(dir, path)), mode);
  if (inputs === 'consumed') removeConsumed(directory, state, terminal);
  return [...outputs.map(({ name }) => join(dir, name)), ...Object.keys(built.files).map((path) => join(dir, path))];
}

interface ImageSummary {
  readonly built: AgentImage;
  readonly paths: readonly string[];
  readonly credentials: Credentials;
  readonly dir: string;
  readonly what: OutputKind;
}

function nextSteps({ built, paths, dir, what }: ImageSummary): string[] {
  const first = `${built.files.rendezvousIP.text} first.`;
  const iso = paths.find((path) => path.endsWith('.iso'));
  const boot = {
    image: `Boot all machines of the cluster from ${iso}; ${first}`,
    'pxe-files': `Serve ${join(dir, PXE_FOLDER)} to all machines of the cluster, and boot them over the network; ${first}`,
    'config-image': `Attach ${iso} to all machines of the cluster, which run an image without settings; ${first}`,
  }[what];
  return [
    boot,
    `coreiso agent wait-for bootstrap-complete --dir ${dir}`,
    `coreiso agent wait-for install-complete --dir ${dir}`,
  ];
}

function resultData(summary: ImageSummary): object {
  const { built, paths, credentials } = summary;
  return {
    outputs: built.outputs.map(({ source }, index) => ({ path: paths[index], size: source.size })),
    files: paths.slice(built.outputs.length),
    rendezvousIP: built.files.rendezvousIP.text,
    validity: { certificates: credentials.validity, tokens: credentials.tokens.expires ?? null },
    notes: built.notes,
    nextSteps: nextSteps(summary),
  };
}

function resultText(summary: ImageSummary): string[] {
  const { built, paths, credentials } = summary;
  const end = credentials.validity.notAfter.replace(/\.\d+/, '');
  const { expires } = credentials.tokens;
  const until = expires === undefined ? '' : ` (until ${expires})`;
  return [
    ...paths,
    '',
    ...built.notes,
    `The rendezvous host is ${built.files.rendezvousIP.text}. Certificates are valid until ${end}.`,
    `Keep it safe, it holds credentials: pull secret, keys of the cluster (until ${end}), service tokens${until}.`,
    'Next:',
    ...nextSteps(summary).map((step) => `  ${step}`),
  ];
}
