import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type FileDiagnostic, type InstallSources, namedRelease, type ReleaseImage } from '@coreiso/nodes-config';
import { AGENT_STATE_FILE, type AgentState, readAgentState, rememberedSources } from '@coreiso/openshift';
import type { Arguments } from '../../frame/arguments.ts';
import { Failure } from '../../frame/failure.ts';
import type { Terminal } from '../../frame/terminal.ts';
import { readText } from '../../frame/text.ts';

/** The subdirectories that the installer reads. */
const FOLDERS = ['cluster-manifests', 'mirror', 'openshift'];
const CONFIGS = ['install-config.yaml', 'agent-config.yaml'];

/** The directory of an installation. */
export interface SiteDirectory {
  /** The path as the user wrote it. */
  readonly dir: string;
  /** Path in the directory → text that the installer would read. */
  readonly files: Readonly<Record<string, string>>;
  /** The state file of an earlier command. */
  readonly state: AgentState | undefined;
  /** The sources of the existing manifests. */
  readonly previous: InstallSources | undefined;
  readonly diagnostics: readonly FileDiagnostic[];
}

/** Reads the directory; throws if it has nothing for the installer. */
export async function readSiteDirectory(args: Arguments, terminal: Terminal): Promise<SiteDirectory> {
  const dir = args.optional('dir') ?? '.';
  const inside = (path: string): string => terminal.path(join(dir, path));
  const names = [
    ...CONFIGS.filter((name) => existsSync(inside(name))),
    ...FOLDERS.filter((folder) => existsSync(inside(folder))).flatMap((folder) =>
      readdirSync(inside(folder), { withFileTypes: true })
        .filter((entry) => entry.isFile() || entry.isSymbolicLink())
        .map((entry) => `${folder}/${entry.name}`),
    ),
  ];
  const lost = CONFIGS.filter((name) => names.includes(`cluster-manifests/${name}`));
  if (lost.length > 0) {
    throw new Failure(`${lost.join(' and ')} in ${join(dir, 'cluster-manifests')} would be ignored`, {
      help: `move ${lost.length === 1 ? 'it' : 'them'} to ${dir}`,
    });
  }
  const state = await readState(dir, terminal);
  const hasConfig = names.includes('install-config.yaml') || state?.consumed?.['install-config.yaml'] !== undefined;
  if (!hasConfig && !names.some((name) => name.startsWith('cluster-manifests/')))
    throw new Failure(`${dir} has neither install-config.yaml nor cluster-manifests`, {
      help: `name another directory with --dir, or start with coreiso agent template --dir ${dir}`,
    });
  const files: Record<string, string> = {};
  for (const name of names) files[name] = await readText(terminal, join(dir, name));
  const { previous, diagnostics } = await rememberedSources(files, state);
  const told = diagnostics.map((one) => ({ ...one, upstream: false, file: AGENT_STATE_FILE }));
  return { dir, files, state, previous, diagnostics: told };
}

/** Reads the state file of an earlier command; undefined if there is none. */
export async function readState(dir: string, terminal: Terminal): Promise<AgentState | undefined> {
  const path = join(dir, AGENT_STATE_FILE);
  if (!existsSync(terminal.path(path))) return undefined;
  const outcome = readAgentState(await readText(terminal, path));
  if (outcome.ok) return outcome.value;
  const [finding] = outcome.diagnostics;
  throw new Error(`${path}: ${finding?.message}. ${finding?.help}`);
}

/** Removes the inputs that were read and that the state now keeps: no other file, whatever the state lists. */
export function removeConsumed({ dir, files }: SiteDirectory, { consumed = {} }: AgentState, terminal: Terminal): void {
  for (const name of CONFIGS)
    if (files[name] !== undefined && consumed[name] !== undefined)
      rmSync(terminal.path(join(dir, name)), { force: true });
}

/**
 * Returns the release, which an installer binary has built in: from the options, else from the manifests; undefined if
 * neither names it.
 */
export function givenRelease(
  args: Arguments,
  terminal: Terminal,
  { files }: Pick<SiteDirectory, 'files'>,
): ReleaseImage | undefined {
  const named =
    args.optional('release-image') ?? (terminal.io.env['OPENSHIFT_INSTALL_RELEASE_IMAGE_OVERRIDE'] || undefined);
  return namedRelease(files, { image: named, version: args.optional('openshift-version') });
}

/** Help that tells how to name the release. */
export const NAME_RELEASE =
  'pass --release-image and --openshift-version, or set OPENSHIFT_INSTALL_RELEASE_IMAGE_OVERRIDE to an image whose tag is its version';

/** Returns the failure of work that needs to know the release. */
export function noRelease(what: string): Failure {
  return new Failure(`cannot ${what}: unknown release`, { help: NAME_RELEASE });
}

export function requiredRelease(args: Arguments, terminal: Terminal, directory: SiteDirectory): ReleaseImage {
  const release = givenRelease(args, terminal, directory);
  if (release === undefined) throw noRelease('install');
  return release;
}
