import { type Config, parseConfig } from '@coreiso/ignition';
import { showFindings } from '../../frame/findings.ts';
import { readNamed } from '../../frame/input.ts';
import type { Terminal } from '../../frame/terminal.ts';

/** Reads a config file and shows what there is to say about it; undefined where it is no config. */
export async function readConfig(terminal: Terminal, file: string): Promise<Config | undefined> {
  const bytes = await readNamed(terminal, file);
  const report = parseConfig(bytes);
  showFindings(terminal, report.diagnostics, new TextDecoder().decode(bytes), file);
  return report.ok ? report.value : undefined;
}
