import { SPEC_VERSIONS, type SpecVersion, stringifyConfig, translate } from '@coreiso/ignition';
import type { Action } from '../../frame/command.ts';
import { showFindings } from '../../frame/findings.ts';
import { readConfig } from './config.ts';

/** `coreiso ignition translate`. */
export const translateFile: Action = async (args, terminal) => {
  const file = args.required('FILE');
  const to = args.required('to');
  if (!isVersion(to)) throw new Error(`no version ${to} is known; known are ${SPEC_VERSIONS.join(', ')}`);
  const config = await readConfig(terminal, file);
  if (config === undefined) return 1;
  const outcome = translate(config, to);
  showFindings(terminal, outcome.diagnostics, '', file);
  if (!outcome.ok) return 1;
  await terminal.print(`${stringifyConfig(outcome.value, { indent: 2 })}\n`);
  return 0;
};

function isVersion(text: string): text is SpecVersion {
  return SPEC_VERSIONS.some((version) => version === text);
}
