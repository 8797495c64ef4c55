import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describeError } from '@coreiso/diagnostics';
import { ReportWriter } from '@coreiso/openshift';
import { STDOUT } from '../../frame/output.ts';
import { isStore } from '../../frame/store.ts';
import type { Terminal } from '../../frame/terminal.ts';
import { UsageError } from '../../frame/usage.ts';

/** Does the work of a build; where it fails, a report is left that says at which stage, as `oc` leaves one. */
export async function withFailureReport(
  output: string | undefined,
  terminal: Terminal,
  work: (report: ReportWriter) => Promise<number>,
): Promise<number> {
  const report = new ReportWriter(() => new Date());
  const leave = (message: string, detail: string): void => {
    const path = reportPath(output, terminal);
    if (path === undefined) return;
    const text = `${JSON.stringify(report.fail(message, detail), null, 2)}\n`;
    try {
      mkdirSync(dirname(terminal.path(path)), { recursive: true });
      writeFileSync(terminal.path(path), text, { mode: 0o600 });
      terminal.say(`${path} says at which stage it failed`);
    } catch (error) {
      // Why the build failed matters more.
      terminal.say(`cannot write ${path}: ${oneLine(error)}`);
    }
  };
  try {
    const status = await work(report);
    if (status !== 0) leave('the config has errors', 'the config has errors');
    return status;
  } catch (error) {
    const isFailure = !terminal.io.signal.aborted && !(error instanceof UsageError);
    if (isFailure) leave(oneLine(innermost(error)), oneLine(error));
    throw error;
  }
}

/** Beside the image that was not made; undefined where that would have gone where no files are. */
function reportPath(output: string | undefined, terminal: Terminal): string | undefined {
  if (output === STDOUT || isStore(output ?? '')) return undefined;
  if (output === undefined) return 'report.json';
  const isFolder = output.endsWith('/') || statSync(terminal.path(output), { throwIfNoEntry: false })?.isDirectory();
  return join(isFolder === true ? output : dirname(output), 'report.json');
}

function innermost(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? innermost(error.cause) : error;
}

function oneLine(error: unknown): string {
  return describeError(error, { layout: 'line' })
    .split('\n', 1)
    .join('')
    .replace(/^error: /i, '');
}
