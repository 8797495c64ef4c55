import { join } from 'node:path';
import type { LanguageKind, Source } from '@coreiso/language';
import { type FileDiagnostic, parseInstallFiles, readDirectory } from '@coreiso/nodes-config';
import type { Arguments } from '../../frame/arguments.ts';
import type { Action } from '../../frame/command.ts';
import { findingsData } from '../../frame/fix/findings-data.ts';
import { type FixableFile, fixFiles } from '../../frame/fix/fix-files.ts';
import { readNamed } from '../../frame/input.ts';
import type { Terminal } from '../../frame/terminal.ts';
import { hasErrors } from '../nodes/config-file.ts';
import { givenRelease, NAME_RELEASE, noRelease, readSiteDirectory, type SiteDirectory } from './directory.ts';
import { fileFindingData, showSiteFindings, siteFindingData } from './site-findings.ts';

/** `coreiso agent validate`. */
export const validateSite: Action = async (args, terminal) => {
  const directory = await fixedDirectory(await readSiteDirectory(args, terminal), args, terminal);
  const diagnostics = [...directory.diagnostics, ...judge(directory, args, terminal)];
  if (args.has('json')) await terminal.printJson(await mendedSiteData(directory, diagnostics));
  else {
    showSiteFindings(terminal, directory, diagnostics);
    if (!hasErrors(diagnostics)) await terminal.showLines([`${directory.dir}: a valid site`]);
  }
  return hasErrors(diagnostics) ? 1 : 0;
};

/** Returns the directory after `--fix`, which repairs every file of a known kind. */
async function fixedDirectory(directory: SiteDirectory, args: Arguments, terminal: Terminal): Promise<SiteDirectory> {
  if (!args.has('fix') && !args.has('yes')) return directory;
  const { dir, files } = directory;
  const { kindOf } = await import('@coreiso/language');
  const fixable: FixableFile[] = [];
  for (const path of Object.keys(files)) {
    const source = sourceOf(files, path, kindOf);
    if (source === undefined) continue;
    const name = join(dir, path);
    fixable.push({ ...source, name, bytes: await readNamed(terminal, name) });
  }
  const fixed = await fixFiles(fixable, args, terminal);
  return fixed === fixable ? directory : await readSiteDirectory(args, terminal);
}

/** Returns the findings for `--json`: fixes are computed file by file, and the findings keep their order. */
async function mendedSiteData({ files }: SiteDirectory, diagnostics: readonly FileDiagnostic[]): Promise<object> {
  const { kindOf } = diagnostics.length === 0 ? { kindOf: () => undefined } : await import('@coreiso/language');
  const shown = new Map<FileDiagnostic, object>();
  for (const file of new Set(diagnostics.map((finding) => finding.file))) {
    const source = sourceOf(files, file, kindOf);
    const found = diagnostics.filter((finding) => finding.file === file);
    const data = source && (await findingsData(found, source, fileFindingData));
    for (const [index, finding] of found.entries()) shown.set(finding, data?.[index] ?? fileFindingData(finding));
  }
  return { ...siteFindingData(diagnostics), diagnostics: diagnostics.map((finding) => shown.get(finding)) };
}

/** Returns a file of the directory with its kind; undefined if it cannot be repaired. */
function sourceOf(
  files: SiteDirectory['files'],
  path: string,
  kindOf: (text: string, path: string) => LanguageKind | undefined,
): Source | undefined {
  const text = files[path];
  const kind = text === undefined ? undefined : kindOf(text, path);
  // In subdirectories, only files whose content identifies them as manifests.
  if (text === undefined || kind === undefined || (path.includes('/') && !MANIFESTS.has(kind))) return undefined;
  return { kind, text, installConfig: kind === 'agent-config' ? files['install-config.yaml'] : undefined };
}

const MANIFESTS: ReadonlySet<string> = new Set(['nmstateconfig', 'infraenv']);

function judge({ files, previous }: SiteDirectory, args: Arguments, terminal: Terminal): readonly FileDiagnostic[] {
  const environment = terminal.io.env;
  const release = givenRelease(args, terminal, { files });
  const options = { environment, version: release?.version ?? args.optional('openshift-version') };
  const installConfig = files['install-config.yaml'];
  const hasManifests = Object.keys(files).some((path) => path.includes('/'));
  if (release !== undefined && hasManifests) return readDirectory(files, { ...options, release, previous }).diagnostics;
  if (installConfig === undefined) throw noRelease('check manifests');
  const { diagnostics } = parseInstallFiles({ installConfig, agentConfig: files['agent-config.yaml'] }, options);
  return hasManifests ? [...diagnostics, UNCHECKED] : diagnostics;
}

const UNCHECKED: FileDiagnostic = {
  severity: 'warning',
  code: 'nodes-config/no-release',
  message: 'manifests and mirror files are not checked: unknown release',
  help: `${NAME_RELEASE[0]?.toUpperCase()}${NAME_RELEASE.slice(1)}.`,
  path: [],
  upstream: false,
  file: 'install-config.yaml',
};
