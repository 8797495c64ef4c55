import {
  type Config,
  findExpiries,
  formatSummary,
  merge,
  parseConfig,
  redact,
  SPEC_VERSIONS,
  type SpecVersion,
  stringifyConfig,
  summarizeConfig,
  translate,
} from '@coreiso/ignition';
import type { Action } from '../../frame/command.ts';
import { readNamed } from '../../frame/input.ts';
import { showFindings } from '../../frame/show-findings.ts';
import type { Terminal } from '../../frame/terminal.ts';

/** `coreiso ignition show`. */
export const show: Action = async (args, terminal) => {
  const config = await readConfig(terminal, args.required('FILE'));
  if (config === undefined) return 1;
  if (args.has('json')) {
    const redacted: unknown = JSON.parse(stringifyConfig(redact(config)));
    await terminal.printJson({ config: redacted, expiries: findExpiries(config) });
  } else await terminal.showText(formatSummary(summarizeConfig(config)));
  return 0;
};

/** `coreiso ignition merge`. */
export const mergeFiles: Action = async (args, terminal) => {
  const parent = await readConfig(terminal, args.required('PARENT'));
  const child = await readConfig(terminal, args.required('CHILD'));
  if (parent === undefined || child === undefined) return 1;
  const { config, transcript } = merge(parent, child);
  if (args.has('transcript')) await terminal.printJson(transcript);
  else await terminal.print(`${stringifyConfig(config, { indent: 2 })}\n`);
  return 0;
};

/** `coreiso ignition translate`. */
export const translateFile: Action = async (args, terminal) => {
  const file = args.required('FILE');
  const to = args.required('to');
  if (!isVersion(to)) throw new Error(`unknown version ${to}; expected one of ${SPEC_VERSIONS.join(', ')}`);
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

/** Reads a config file and shows its findings; undefined if it is not a config. */
async function readConfig(terminal: Terminal, file: string): Promise<Config | undefined> {
  const bytes = await readNamed(terminal, file);
  const report = parseConfig(bytes);
  showFindings(terminal, report.diagnostics, new TextDecoder().decode(bytes), file);
  return report.ok ? report.value : undefined;
}
