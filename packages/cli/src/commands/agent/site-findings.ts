import { join } from 'node:path';
import type { FileDiagnostic } from '@coreiso/nodes-config';
import { splitMessages } from '@coreiso/nodes-config';
import { showFindings } from '../../frame/show-findings.ts';
import type { Terminal } from '../../frame/terminal.ts';
import { configFindingData, isWorthShowing } from '../nodes/config-file.ts';
import type { SiteDirectory } from './directory.ts';

/** Shows findings to people, file by file, with paths that an editor can open. */
export function showSiteFindings(
  terminal: Terminal,
  { dir, files }: SiteDirectory,
  diagnostics: readonly FileDiagnostic[],
): void {
  const shown = diagnostics.filter(isWorthShowing);
  for (const file of new Set(shown.map((finding) => finding.file))) {
    const found = shown.filter((finding) => finding.file === file);
    showFindings(terminal, found, files[file] ?? '', join(dir, file));
  }
}

/** Returns findings for `--json`. */
export function siteFindingData(diagnostics: readonly FileDiagnostic[]): object {
  return { ...splitMessages(diagnostics), diagnostics: diagnostics.map(fileFindingData) };
}

export function fileFindingData(finding: FileDiagnostic): object {
  return { file: finding.file, ...configFindingData(finding) };
}
