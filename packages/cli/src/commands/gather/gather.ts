import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { Arguments } from '../../frame/arguments.ts';
import { alreadyExists, hasCode, inContext } from '../../frame/failure.ts';
import { sizeText } from '../../frame/size.ts';
import type { Terminal } from '../../frame/terminal.ts';
import { type GatheredHost, type GatherResult, gatherHost } from './over-ssh.ts';

/** Collects the logs of hosts into one archive, and reports the hosts that failed. */
export async function gather(hosts: readonly GatheredHost[], args: Arguments, terminal: Terminal): Promise<number> {
  const output = args.optional('output') ?? `gather-${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}.tar`;
  // Check now, not after minutes of gathering.
  if (!args.has('force') && existsSync(terminal.path(output))) throw alreadyExists([output]);
  const ssh = { identity: args.optional('identity'), knownHosts: args.optional('known-hosts') };
  const results = await startedSsh(() => Promise.all(hosts.map((host) => gatherHost(host, ssh, terminal))));
  const good = results.filter((one) => 'archive' in one);
  if (good.length > 0) {
    const bytes = await archiveOf(results);
    const flag = args.has('force') ? 'w' : 'wx';
    await inContext(`cannot write ${output}`, () => writeFile(terminal.path(output), bytes, { mode: 0o600, flag }));
  }
  const isWhole = good.length === results.length;
  if (args.has('json')) {
    await terminal.printJson({ output: good.length > 0 ? output : null, hosts: results.map(resultData) });
    return isWhole ? 0 : 1;
  }
  const lines = results.map((one) =>
    'archive' in one ? `${one.name}  ${sizeText(one.archive.length)}` : `${one.name}  failed: ${one.reason}`,
  );
  await terminal.showLines([...lines, '', good.length > 0 ? `wrote ${output}` : 'no host gave its logs']);
  return isWhole ? 0 : 1;
}

async function startedSsh<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) throw new Error('ssh is not on PATH; install OpenSSH');
    throw error;
  }
}

/** Packs the archives of all hosts and a summary into one archive. */
async function archiveOf(results: readonly GatherResult[]): Promise<Uint8Array> {
  const { packTar } = await import('modern-tar');
  const summary = `${JSON.stringify(results.map(resultData), null, 2)}\n`;
  const files = results.flatMap((one, index) =>
    'archive' in one ? [{ name: `${fileName(one.name, index)}.tar.xz`, body: one.archive }] : [],
  );
  const entries = [{ name: 'hosts.json', body: new TextEncoder().encode(summary) }, ...files];
  return await packTar(entries.map(({ name, body }) => ({ header: { name, size: body.length, mode: 0o600 }, body })));
}

/** Users choose host names, so not every one is a safe file name. */
function fileName(name: string, index: number): string {
  return /^[A-Za-z0-9][\w.-]{0,62}$/.test(name) ? name : `host-${index}`;
}

function resultData(one: GatherResult): object {
  const { name, address = null } = one;
  return 'archive' in one ? { name, address, size: one.archive.length } : { name, address, error: one.reason };
}
