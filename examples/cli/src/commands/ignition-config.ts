import { type Config, parseConfig } from '@coreiso/ignition';
import { showFindings } from '../frame/findings.ts';
import { readInput } from '../frame/input.ts';
import type { Terminal } from '../frame/terminal.ts';

/** A config file as read, or undefined after the findings have been shown. */
export async function readConfig(terminal: Terminal, file: string): Promise<Config | undefined> {
  const bytes = await readInput(terminal, file);
  const report = parseConfig(bytes);
  showFindings(terminal, report.diagnostics, new TextDecoder().decode(bytes), file);
  return report.ok ? report.value : undefined;
}
