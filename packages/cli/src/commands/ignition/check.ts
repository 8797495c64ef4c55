import { decodeText } from '@coreiso/diagnostics';
import { findingsWithFixes } from '@coreiso/language';
import type { Action } from '../../frame/command.ts';
import { fixFiles } from '../../frame/fix/fix-files.ts';
import { readNamed } from '../../frame/input.ts';
import { findingData, mendedData, showFindings } from '../../frame/show-findings.ts';

/** `coreiso ignition check`: all findings at once, each with its fixes. */
export const check: Action = async (args, terminal) => {
  const name = args.required('FILE');
  const given = { name, bytes: await readNamed(terminal, name), kind: 'ignition' } as const;
  const [{ bytes } = given] = await fixFiles([given], args, terminal);
  const decoded = decodeText(bytes);
  const text = decoded.ok ? decoded.value.text : '';
  const findings = decoded.ok ? findingsWithFixes({ kind: 'ignition', text }) : decoded.diagnostics;
  const isRefused = findings.some(({ severity }) => severity === 'error');
  if (args.has('json'))
    await terminal.printJson({ diagnostics: findings.map((one) => mendedData(one, text, findingData)) });
  else {
    showFindings(terminal, findings, text, name);
    if (!isRefused) await terminal.showLines([`${name}: a valid Ignition config`]);
  }
  return isRefused ? 1 : 0;
};
