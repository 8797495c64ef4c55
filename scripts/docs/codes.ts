// The reference of codes: the meaning of each, a text that causes it, and the finding about that text.
import { applyEdits, formatDiagnostics } from '@coreiso/diagnostics';
import { editsOfFixes, findingsWithFixes } from '@coreiso/language';
import { EXAMPLES, type Example } from './examples.ts';
import type { Pages } from './generate.ts';
import { block, code, page, prose, table } from './markdown.ts';
import { type Code, errorCodes, findingCodes } from './tables.ts';

export function codePages(): Pages {
  const pages: Pages = new Map();
  const rows: string[][] = [];
  for (const [name, codes] of byPackage(findingCodes)) {
    pages.set(`findings/${name}.md`, page(`# Findings of ${name}`, FINDINGS, ...codes.flatMap(findingSection)));
    rows.push([`[${code(`${name}/…`)}](./${name}.md)`, String(codes.length)]);
  }
  pages.set('findings/index.md', page('# Findings', FINDINGS, table(['Codes', 'Number'], rows)));
  pages.set(
    'errors.md',
    page(
      '# Errors',
      'Failures of operations. Every error has a `code`; switch on it, not on the message. Renaming or dropping a code is a breaking change.',
      ...[...byPackage(errorCodes)].flatMap(([name, codes]) => [`## ${name}`, ...codes.flatMap(errorSection)]),
    ),
  );
  return pages;
}

const FINDINGS =
  'Remarks about your text, with line and column. The code is in `code` of each diagnostic, and in `--json`. Severities, messages and help below are those of the example.';

function byPackage(codes: readonly Code[]): Map<string, Code[]> {
  const groups = new Map<string, Code[]>();
  for (const one of codes) groups.set(one.package, [...(groups.get(one.package) ?? []), one]);
  return groups;
}

function findingSection({ code: name, meaning }: Code): string[] {
  const example = EXAMPLES[name];
  return [
    `## ${name.replace(/^.*\//, '')}`,
    code(name),
    ...(meaning === '' ? [] : [prose(meaning)]),
    ...(example === undefined ? [] : exampleOf(name, example)),
  ];
}

function exampleOf(name: string, { kind, text, message, help }: Example): string[] {
  if (kind === undefined || text === undefined) return messageBlock(message, help);
  const findings = findingsWithFixes({ kind, text });
  const own = findings.filter((finding) => finding.code === name);
  if (own.length === 0) throw new Error(`the example of ${name} has it no longer: node scripts/docs.mjs record`);
  const edits = editsOfFixes(own, 'all');
  const mended =
    edits.length === 0 ? [] : ['With the fix that is offered:', block(languageOf(kind), applyEdits(text, edits))];
  return [
    `In a document of kind ${code(kind)}:`,
    block(languageOf(kind), text),
    block('text', formatDiagnostics(own.slice(0, 1), { text, file: FILES[kind] })),
    ...mended,
  ];
}

const FILES = {
  'nodes-config': 'nodes-config.yaml',
  'agent-config': 'agent-config.yaml',
  'install-config': 'install-config.yaml',
  nmstateconfig: 'nmstateconfig.yaml',
  infraenv: 'infraenv.yaml',
  'network-state': 'network.yaml',
  ignition: 'config.ign',
} as const;

function languageOf(kind: string): string {
  return kind === 'ignition' ? 'json' : 'yaml';
}

function errorSection({ code: name, meaning }: Code): string[] {
  const example = EXAMPLES[name];
  return [`### ${name}`, prose(meaning), ...(example === undefined ? [] : messageBlock(example.message, example.help))];
}

function messageBlock(message: string, help: string | undefined): string[] {
  return [block('text', help === undefined ? message : `${message}\n  help: ${help}`)];
}
