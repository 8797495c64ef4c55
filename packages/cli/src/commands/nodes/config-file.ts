import { join } from 'node:path';
import { type Diagnostic, decodeText } from '@coreiso/diagnostics';
import { isUpstream, type NodesConfig } from '@coreiso/nodes-config';
import type { Arguments } from '../../frame/arguments.ts';
import { readNamed } from '../../frame/input.ts';
import { findingData, showFindings } from '../../frame/show-findings.ts';
import type { Terminal } from '../../frame/terminal.ts';

/** A config and its name in messages. */
export interface ConfigFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Reads the FILE of a `nodes` command. */
export async function readConfigFile(args: Arguments, terminal: Terminal): Promise<ConfigFile> {
  const name = args.optional('FILE') ?? join(args.optional('dir') ?? '', 'nodes-config.yaml');
  return { name, bytes: await readNamed(terminal, name) };
}

/** Shows findings with source line and caret; bytes that are not text have no source lines. */
export function showConfigFindings(
  terminal: Terminal,
  { name, bytes }: ConfigFile,
  diagnostics: readonly Diagnostic[],
): void {
  const decoded = decodeText(bytes);
  showFindings(terminal, diagnostics.filter(isWorthShowing), decoded.ok ? decoded.value.text : '', name);
}

/** Whether to show a finding: messages that the installer only logs appear only with `--json`. */
export function isWorthShowing(finding: Diagnostic): boolean {
  return !(finding.severity === 'info' && isUpstream(finding));
}

/** Maps findings of planning and building to lines of the user's file. */
export function withConfigLines(diagnostics: readonly Diagnostic[], { source }: NodesConfig): Diagnostic[] {
  return diagnostics.map((finding) => {
    const range = finding.path.length === 0 ? undefined : source.locate(finding.path);
    return range === undefined ? finding : { ...finding, range };
  });
}

/** Returns a finding for `--json`, with its origin. */
export function configFindingData(finding: Diagnostic): object {
  return { ...findingData(finding), upstream: isUpstream(finding) };
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === 'error');
}
