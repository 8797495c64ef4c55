import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { decodeText } from '@coreiso/diagnostics';
import type { Arguments } from '../../frame/arguments.ts';
import { readNamed } from '../../frame/input.ts';
import type { Terminal } from '../../frame/terminal.ts';

/** Where the installer looks. */
const FOLDERS = ['cluster-manifests', 'mirror', 'openshift'];
const CONFIGS = ['install-config.yaml', 'agent-config.yaml'];

/** What the installer would read of a directory: path inside of it → text. Throws where there is nothing for it. */
export async function readSiteDirectory(args: Arguments, terminal: Terminal): Promise<Record<string, string>> {
  const dir = args.optional('dir') ?? '.';
  const inside = (path: string): string => terminal.path(join(dir, path));
  const names = [
    ...CONFIGS.filter((name) => existsSync(inside(name))),
    ...FOLDERS.filter((folder) => existsSync(inside(folder))).flatMap((folder) =>
      readdirSync(inside(folder), { withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => `${folder}/${entry.name}`),
    ),
  ];
  const lost = CONFIGS.filter((name) => names.includes(`cluster-manifests/${name}`));
  if (lost.length > 0) {
    throw new Error(
      `${lost.join(' and ')} in ${join(dir, 'cluster-manifests')} would not be read; move them to ${dir}`,
    );
  }
  if (!names.includes('install-config.yaml') && !names.some((name) => name.startsWith('cluster-manifests/'))) {
    throw new Error(`${dir} has neither an install-config.yaml nor cluster-manifests`);
  }
  const files: Record<string, string> = {};
  for (const name of names) {
    const decoded = decodeText(await readNamed(terminal, join(dir, name)));
    if (!decoded.ok) throw new Error(`${join(dir, name)} is no text: ${decoded.diagnostics[0]?.message}`);
    files[name] = decoded.value.text;
  }
  return files;
}
