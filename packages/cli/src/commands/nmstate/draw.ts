import { basename } from 'node:path';
import { decodeText, parseYaml } from '@coreiso/diagnostics';
import { drawNetworks, linksOf } from '@coreiso/nmstate/forms';
import type { Action } from '../../frame/command.ts';
import { readNamed } from '../../frame/input.ts';
import { showFindings } from '../../frame/show-findings.ts';

/** `coreiso nmstate draw`: leaves mistakes out of the picture; draws nothing for a text that it cannot parse. */
export const draw: Action = async (args, terminal) => {
  const file = args.required('STATE_FILE');
  const decoded = decodeText(await readNamed(terminal, file));
  const text = decoded.ok ? decoded.value.text : '';
  const [document] = decoded.ok ? parseYaml(text) : [decoded];
  if (!document.ok) {
    showFindings(terminal, document.diagnostics, text, file);
    return 1;
  }
  const title = args.optional('title') ?? (file === '-' ? 'a host' : basename(file).replace(/\.(?:ya?ml|json)$/, ''));
  await terminal.print(drawNetworks([{ title, links: linksOf(text) }]));
  return 0;
};
