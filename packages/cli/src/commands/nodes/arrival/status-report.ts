import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { StatusAccess } from '@coreiso/cluster';
import { STATUS_PORT } from '@coreiso/openshift';
import type { Arguments } from '../../../frame/arguments.ts';
import { Failure, hasCode } from '../../../frame/failure.ts';
import { readNamed } from '../../../frame/input.ts';
import type { Terminal } from '../../../frame/terminal.ts';
import { readStatusToken } from '../plan-options.ts';
import { configName } from './planned-hosts.ts';

/** Matches `report.json` and `node.x86_64.report.json`, which is beside the image of that name. */
const REPORT_NAME = /^(?:.*\.)?report\.json$/;

/**
 * Returns the access to the status port of machines: from the named report, else from the newest report beside the config
 * that has one.
 */
export async function readStatusAccess(args: Arguments, terminal: Terminal): Promise<StatusAccess | undefined> {
  const token = await readStatusToken(args, terminal, 'none');
  if (token !== undefined) return { port: STATUS_PORT, token };
  const named = args.optional('report');
  if (named !== undefined) {
    const { status } = await readReport(named, terminal);
    if (status !== undefined) return status;
    throw new Failure(`${named} has no status port`, {
      help: 'name the report of an image that nodes image made without --no-status, and that installs',
    });
  }
  const folder = dirname(configName(args));
  const reports = await Promise.all(
    (await namesIn(terminal.path(folder)))
      .filter((name) => REPORT_NAME.test(name))
      .map(async (name) => ({ name: join(folder, name), ...(await readReport(join(folder, name), terminal)) })),
  );
  const [newest] = reports
    .filter(({ status }) => status !== undefined)
    .sort((a, b) => (a.made < b.made ? 1 : a.made > b.made ? -1 : 0));
  if (newest !== undefined) terminal.say(`Reading the status of each machine by ${newest.name}`);
  return newest?.status;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return [];
    throw error;
  }
}

interface Report {
  readonly made: string;
  readonly status: StatusAccess | undefined;
}

async function readReport(name: string, terminal: Terminal): Promise<Report> {
  let report: { readonly end_time?: unknown; readonly status?: Partial<StatusAccess> } | null;
  try {
    report = JSON.parse(new TextDecoder().decode(await readNamed(terminal, name)));
  } catch (error) {
    // Messages of the JSON parser may quote the token.
    if (error instanceof SyntaxError)
      throw new Error(`${name} is not JSON: expected the report that nodes image writes`);
    throw error;
  }
  const { port, token } = report?.status ?? {};
  const isAccess = Number.isInteger(port) && typeof token === 'string' && /^[\w-]+$/.test(token);
  return {
    made: String(report?.end_time ?? ''),
    status: isAccess ? { port: Number(port), token } : undefined,
  };
}
