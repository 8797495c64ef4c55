import { type Config, parseConfig } from '@coreiso/ignition';
import { showFindings } from '../frame/findings.ts';
import { readNamed } from '../frame/input.ts';
import type { Terminal } from '../frame/terminal.ts';

export interface ReadConfig {
  /** Undefined where the file is no config; the findings have been shown. */
  readonly config: Config | undefined;
  readonly bytes: Uint8Array;
  /** Whether its version is one we do not know yet, so that nothing was checked. */
  readonly isNewer: boolean;
}

/** Reads a config file and shows what there is to say about it. */
export async function readConfig(terminal: Terminal, file: string): Promise<ReadConfig> {
  const bytes = await readNamed(terminal, file);
  const report = parseConfig(bytes);
  showFindings(terminal, report.diagnostics, new TextDecoder().decode(bytes), file);
  const isNewer = report.diagnostics.some(({ code }) => code === 'ignition/version-newer');
  return { config: report.ok ? report.value : undefined, bytes, isNewer };
}
