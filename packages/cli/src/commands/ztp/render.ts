import { join } from 'node:path';
import { decodeText } from '@coreiso/diagnostics';
import { parseZtpSite, renderZtpSite } from '@coreiso/nodes-config';
import type { Action } from '../../frame/command.ts';
import { readNamed } from '../../frame/input.ts';
import { findingData, showFindings } from '../../frame/show-findings.ts';
import { writeNewFiles } from '../../frame/write-directory.ts';

/** `coreiso ztp render`. */
export const render: Action = async (args, terminal) => {
  const name = args.required('SITE');
  const bytes = await readNamed(terminal, name);
  const site = parseZtpSite(bytes);
  const files = site.ok ? renderZtpSite(site.value) : {};
  const directory = args.optional('output');
  if (site.ok && directory !== undefined) {
    await writeNewFiles(terminal, directory, files, args.has('force') ? 'replace' : 'refuse');
  }
  if (args.has('json')) {
    await terminal.printJson({ diagnostics: site.diagnostics.map(findingData), files });
    return site.ok ? 0 : 1;
  }
  const decoded = decodeText(bytes);
  showFindings(terminal, site.diagnostics, decoded.ok ? decoded.value.text : '', name);
  if (directory === undefined) await terminal.print(Object.values(files).join('---\n'));
  else for (const path of Object.keys(files)) await terminal.print(`${join(directory, path)}\n`);
  return site.ok ? 0 : 1;
};
