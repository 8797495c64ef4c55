import { type ManifestDiagnostic, parseSite, readDirectory } from '@coreiso/agent-install';
import { splitMessages } from '@coreiso/nodes-config';
import type { Arguments } from '../../frame/arguments.ts';
import type { Action } from '../../frame/command.ts';
import { showFindings } from '../../frame/findings.ts';
import type { Terminal } from '../../frame/terminal.ts';
import { configFindingData, hasErrors } from '../nodes/config-file.ts';
import { readSiteDirectory } from './directory.ts';

/** `coreiso agent validate`. */
export const validateSite: Action = async (args, terminal) => {
  const files = await readSiteDirectory(args, terminal);
  const diagnostics = judge(files, args, terminal);
  if (args.has('json')) {
    const findings = diagnostics.map((finding) => ({ file: finding.file, ...configFindingData(finding) }));
    await terminal.printJson({ ...splitMessages(diagnostics), diagnostics: findings });
  } else {
    for (const file of new Set(diagnostics.map((finding) => finding.file))) {
      const found = diagnostics.filter((finding) => finding.file === file);
      showFindings(terminal, found, files[file] ?? '', file);
    }
    if (!hasErrors(diagnostics)) await terminal.print(`${args.optional('dir') ?? '.'}: a valid site\n`);
  }
  return hasErrors(diagnostics) ? 1 : 0;
};

function judge(
  files: Readonly<Record<string, string>>,
  args: Arguments,
  terminal: Terminal,
): readonly ManifestDiagnostic[] {
  const environment = terminal.io.env;
  const version = args.optional('openshift-version');
  const image = args.optional('release-image') ?? environment['OPENSHIFT_INSTALL_RELEASE_IMAGE_OVERRIDE'];
  const options = { environment, version };
  const installConfig = files['install-config.yaml'];
  const hasManifests = Object.keys(files).some((path) => path.includes('/'));
  if (installConfig !== undefined && !hasManifests)
    return parseSite({ installConfig, agentConfig: files['agent-config.yaml'] }, options).diagnostics;
  if (version === undefined || image === undefined) {
    throw new Error(
      'manifests are checked against the release they install: give --openshift-version and --release-image, or set OPENSHIFT_INSTALL_RELEASE_IMAGE_OVERRIDE',
    );
  }
  return readDirectory(files, { ...options, release: { version, image } }).diagnostics;
}
