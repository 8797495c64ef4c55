// Reads one ready-made manifest and checks it as the installer does.
import type { Path, Plain } from '@coreiso/diagnostics';
import { isObject } from '@coreiso/peers/members';
import { noteIgnoredDocuments } from '../rules/host-list.ts';
import type { Rule } from '../text/codes.ts';
import { type ConfigDiagnostic, type FileDiagnostic, Findings, type Mode } from '../text/config-findings.ts';
import { decodeDocument } from '../text/decode.ts';
import { sourceOf } from '../text/lookup.ts';
import { type ConfigSource, readFirst } from '../text/read-text.ts';
import type { Section } from '../text/table.ts';

/** Rules about networks come before those about the platform and about encryption; a failed step ends the run. */
const STEPS = [{ name: 'rules' }, { name: 'platform' }, { name: 'encryption' }] as const;

/** Findings of the rules for one manifest. */
export type Judge = Findings<(typeof STEPS)[number]['name']>;

/** Reads one manifest; undefined if it cannot be read. */
export function readManifest<T extends object>(
  file: string,
  source: ConfigSource,
  table: Section<T>,
  mode: Mode,
  judge: (values: T, findings: Judge) => void,
): { values: T | undefined; diagnostics: FileDiagnostic[] } {
  const prefix = `failed to unmarshal ${file}: `;
  const text = readFirst(source, prefix, mode);
  const told = (findings: readonly ConfigDiagnostic[]): FileDiagnostic[] => findings.map((one) => ({ ...one, file }));
  if (!text.ok) return { values: undefined, diagnostics: told(text.findings.diagnostics()) };
  const [document] = text.documents;
  const findings = new Findings({ mode, locate: sourceOf(document).locate, steps: STEPS });
  const values = decodeDocument(document, table, findings, { prefix, strict: true });
  noteIgnoredDocuments(text, findings);
  judge(values, findings);
  const diagnostics = told(findings.diagnostics());
  return { values: diagnostics.some(({ severity }) => severity === 'error') ? undefined : values, diagnostics };
}

/** The values of a manifest, undefined if it is refused. */
export type Reading<T> = { readonly value: T | undefined; readonly diagnostics: readonly FileDiagnostic[] };

export function refuse(findings: Judge, rule: Rule, message: string, path: Path, help: string): void {
  findings.upstream('rules', { code: `nodes-config/${rule}`, message, path, help });
}

type Members = { readonly [name: string]: Plain };

/** The status of a manifest that was exported from a cluster, with the members that Go always writes. */
export function withStatus(manifest: Members, always: Members): Members {
  const given = membersOf(manifest['status']);
  const merged = Object.entries(always).map(([name, value]) => [
    name,
    { ...membersOf(value), ...membersOf(given[name]) },
  ]);
  return { ...manifest, status: { ...given, ...Object.fromEntries(merged) } };
}

function membersOf(value: Plain | undefined): Members {
  return isObject(value) ? (value as Members) : {};
}
