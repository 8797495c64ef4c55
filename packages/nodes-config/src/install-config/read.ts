// An install config as it is in its file: decoded by its table, not yet checked.

import type { InstallConfigValues } from '../generated/values.ts';
import { noteIgnoredDocuments } from '../rules/host-list.ts';
import { Findings, type Mode, type Step } from '../text/config-findings.ts';
import { decodeDocument } from '../text/decode.ts';
import { type SourceText, sourceOf } from '../text/lookup.ts';
import { type ConfigSource, readFirst } from '../text/read-text.ts';
import { INSTALL_CONFIG } from './install-config-table.ts';
import { adviceForInstallConfig } from './misplaced-fields.ts';
import type { InstallStep } from './rules/rule-findings.ts';

/** The values of the text, as far as they can be read, and findings about its form. */
export type InstallConfigReading =
  | {
      readonly ok: true;
      readonly values: InstallConfigValues;
      readonly source: SourceText;
      readonly findings: Findings<InstallStep>;
    }
  | { readonly ok: false; readonly findings: Findings };

interface ReadingOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly mode: Mode;
}

/** The prefix of every message about creating an install config. */
export const CREATE = 'failed to create install config: ';
const UNMARSHAL = 'failed to unmarshal install-config.yaml: ';
const UNKNOWN = `failed to parse first occurrence of unknown field: ${UNMARSHAL}`;

const STEPS: readonly Step<InstallStep>[] = [{ name: 'convert', endsAtFirst: true }, { name: 'rules' }];

/** Parses and decodes the text, for checks and for readers of its hosts. */
export function readInstallConfig(source: ConfigSource, { environment, mode }: ReadingOptions): InstallConfigReading {
  const prefix = `${CREATE}${UNMARSHAL}`;
  const read = readFirst(source, prefix, mode);
  if (!read.ok) return read;
  const [document] = read.documents;
  const text = sourceOf(document);
  const findings = new Findings({ mode, locate: text.locate, steps: STEPS });
  const hasInvoker = Boolean(environment['OPENSHIFT_INSTALL_INVOKER']);
  const values = decodeDocument(document, INSTALL_CONFIG, findings, {
    advise: adviceForInstallConfig,
    prefix,
    strict: true,
    unknownKeys: hasInvoker
      ? { prefix: UNKNOWN, severity: 'warning' }
      : { prefix: `${CREATE}${UNKNOWN}`, severity: 'error' },
  });
  noteIgnoredDocuments(read, findings);
  return { ok: true, values, source: text, findings };
}
