import { existsSync, lstatSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ReportWriter } from '@coreiso/openshift';
import { failureText } from '../../frame/failure.ts';
import { STDOUT } from '../../frame/output.ts';
import { isStore } from '../../frame/store.ts';
import type { Terminal } from '../../frame/terminal.ts';
import { UsageError } from '../../frame/usage.ts';
import { writeDirectory } from '../../frame/write-directory.ts';

/** Runs a build; if it fails, leaves a report of the stage that failed, as `oc` does. */
export async function withFailureReport(
  output: string | undefined,
  terminal: Terminal,
  work: (report: ReportWriter) => Promise<number>,
): Promise<number> {
  const report = new ReportWriter(() => new Date());
  const path = reportPath(output, terminal);
  // Remove the report of an earlier attempt: it is out of date, and an existing file would be refused.
  if (path !== undefined && isFailureReport(terminal.path(path))) rmSync(terminal.path(path));
  const leave = (message: string, detail: string): void => {
    if (path === undefined) return;
    // The report of an image has the only token of its status port: keep it.
    if (existsSync(terminal.path(path))) {
      terminal.say(`keeping ${path}: it is not a failure report`);
      return;
    }
    const text = `${JSON.stringify(report.fail(message, detail), null, 2)}\n`;
    try {
      writeDirectory(dirname(terminal.path(path)), { [basename(path)]: text });
      terminal.say(`${path} says at which stage it failed`);
    } catch (error) {
      // Do not throw: the failure of the build matters more.
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

/** Larger than any report. */
const LONGEST = 1 << 20;

/** Whether a file is the report of a failed attempt. */
function isFailureReport(path: string): boolean {
  try {
    if (!lstatSync(path).isFile() || statSync(path).size > LONGEST) return false;
    const { id, result } = JSON.parse(readFileSync(path, 'utf8'));
    return String(id).startsWith('report-addnodes-') && Number.isInteger(result.exit_code) && result.exit_code !== 0;
  } catch {
    return false;
  }
}

/** Returns the path beside the image that was not made; undefined if the image would not be a file. */
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
  return failureText(error, 'own')
    .split('\n', 1)
    .join('')
    .replace(/^error: /i, '');
}
