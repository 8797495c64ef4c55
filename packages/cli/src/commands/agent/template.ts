import { join } from 'node:path';
import { samples } from '@coreiso/nodes-config';
import type { Action } from '../../frame/command.ts';
import { writeNewFiles } from '../../frame/write-directory.ts';

const FILES = { 'install-config.yaml': samples.installConfig, 'agent-config.yaml': samples.agentConfig };

/** `coreiso agent template`. */
export const template: Action = async (args, terminal) => {
  const dir = args.optional('dir');
  if (dir === undefined) {
    const documents = Object.entries(FILES).map(([name, text]) => `# ${name}\n#\n${text}`);
    await terminal.print(documents.join('---\n'));
    return 0;
  }
  await writeNewFiles(terminal, dir, FILES, args.has('force') ? 'replace' : 'refuse');
  for (const name of Object.keys(FILES)) await terminal.print(`${join(dir, name)}\n`);
  return 0;
};
