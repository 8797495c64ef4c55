import { join } from 'node:path';
import { type Diagnostic, decodeText } from '@coreiso/diagnostics';
import { isUpstream, type NodesConfig } from '@coreiso/nodes-config';
import type { Arguments } from '../../frame/arguments.ts';
import { readNamed } from '../../frame/input.ts';
import { findingData, showFindings } from '../../frame/show-findings.ts';
import type { Terminal } from '../../frame/terminal.ts';

/** A config and what to call it in messages. */
export interface ConfigFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The FILE of a `nodes` command. */
export async function readConfigFile(args: Arguments, terminal: Terminal): Promise<ConfigFile> {
  const name = args.optional('FILE') ?? join(args.optional('dir') ?? '', 'nodes-config.yaml');
  return { name, bytes: await readNamed(terminal, name) };
}

/** Findings with source line and caret; bytes that are no text have no lines to show. */
export function showConfigFindings(
  terminal: Terminal,
  { name, bytes }: ConfigFile,
  diagnostics: readonly Diagnostic[],
): void {
  const decoded = decodeText(bytes);
  showFindings(terminal, diagnostics.filter(isWorthShowing), decoded.ok ? decoded.value.text : '', name);
}

/** Whether to show a finding: messages that the installer only logs appear with `--json` alone. */
export function isWorthShowing(finding: Diagnostic): boolean {
  return !(finding.severity === 'info' && isUpstream(finding));
}

/** Moves findings of planning and building to the user's own lines. */
export function withConfigLines(diagnostics: readonly Diagnostic[], { source }: NodesConfig): Diagnostic[] {
  return diagnostics.map((finding) => {
    const range = finding.path.length === 0 ? undefined : source.locate(finding.path);
    return range === undefined ? finding : { ...finding, range };
  });
}

/** A finding for `--json`, with its origin. */
export function configFindingData(finding: Diagnostic): object {
  return { ...findingData(finding), upstream: isUpstream(finding) };
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === 'error');
}
