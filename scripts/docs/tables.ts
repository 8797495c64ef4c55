// All codes, from the tables and types that declare them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CODES as CLUSTER } from '../../packages/cluster/src/codes.ts';
import { CODES as DIAGNOSTICS } from '../../packages/diagnostics/src/codes.ts';
import { ERRORS, OTHERS, WARNINGS } from '../../packages/ignition/src/codes.ts';
import { CODES as NMSTATE } from '../../packages/nmstate/src/table/codes.ts';
import { CODES as NODES_CONFIG } from '../../packages/nodes-config/src/text/codes.ts';
import { CODES as OPENSHIFT } from '../../packages/openshift/src/codes.ts';
import { packages, root, sources } from '../../test/support/sources.ts';

/** A code and its meaning. */
export interface Code {
  readonly package: string;
  /** As written in the code: `nmstate/unknown-key`, `ISO_BUSY`. */
  readonly code: string;
  readonly meaning: string;
}

const TABLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  diagnostics: DIAGNOSTICS,
  ignition: { ...ERRORS, ...WARNINGS, ...OTHERS },
  nmstate: NMSTATE,
  'nodes-config': NODES_CONFIG,
  openshift: OPENSHIFT,
  cluster: CLUSTER,
};

/** Codes of findings. Those of `language` are declared where they are reported, because there are few. */
export const findingCodes: readonly Code[] = [
  ...Object.entries(TABLES).flatMap(([name, table]) =>
    Object.entries(table).map(([code, meaning]) => ({ package: name, code: `${name}/${code}`, meaning })),
  ),
  ...[
    ...new Set(
      sources
        .filter(({ name }) => name === 'language')
        .flatMap(({ text }) => [...text.matchAll(/'(language\/[a-z-]+)'/g)].map(([, code = '']) => code)),
    ),
  ]
    .sort()
    .map((code) => ({ package: 'language', code, meaning: '' })),
];

/** Codes of errors, with the comment on each in the union of its package. */
export const errorCodes: readonly Code[] = packages.flatMap((name) =>
  sources
    .filter((source) => source.name === name && /(?:^|\/)errors\.ts$/.test(source.file))
    .flatMap(({ path }) =>
      [
        ...readFileSync(join(root, path), 'utf8').matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*(?:\| )?'([A-Z\d_]+)'/g),
      ].map(([, comment = '', code = '']) => ({
        package: name,
        code,
        meaning: comment.replace(/\s*\n\s*\*\s*/g, ' ').trim(),
      })),
    ),
);
