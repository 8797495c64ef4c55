// Writes one type per document for the values that the larger tables read. Parts of a document have no named types.

import {
  AGENT_CLUSTER_INSTALL,
  CLUSTER_DEPLOYMENT,
  CLUSTER_IMAGE_SET,
  SECRET,
} from '../src/directory/manifest-tables.ts';
import { INFRA_ENV } from '../src/documents/document-tables.ts';
import { INSTALL_CONFIG } from '../src/install-config/install-config-table.ts';
import type { FieldType, Section } from '../src/text/table.ts';
import { ZTP_SITE } from '../src/ztp/site-table.ts';

const ROOTS: readonly (readonly [name: string, what: string, section: Section<object>])[] = [
  ['InstallConfigValues', 'an install config', INSTALL_CONFIG],
  ['InfraEnvValues', 'an InfraEnv', INFRA_ENV],
  ['ClusterInstallValues', 'an AgentClusterInstall', AGENT_CLUSTER_INSTALL],
  ['ClusterDeploymentValues', 'a ClusterDeployment', CLUSTER_DEPLOYMENT],
  ['ClusterImageSetValues', 'a ClusterImageSet', CLUSTER_IMAGE_SET],
  ['SecretValues', 'a Secret', SECRET],
  ['ZtpSiteValues', 'a site', ZTP_SITE],
];

const HEADER = `// Generated from the tables by scripts/generate.mjs; edit those instead.

import type { Node, Path, TextDocument } from '@coreiso/diagnostics';
`;

/** `Cidr` and `NetworkText`, written out because users do not need their names. */
const CIDR = '{ readonly address: { readonly version: 4 | 6; readonly value: bigint }; readonly prefixLength: number }';
const NETWORK = `{
  readonly path: Path;
  readonly node: Node;
  /** Where the node stands. */
  readonly document: Pick<TextDocument, 'range'>;
  /** Block style, keys sorted. */
  readonly text: string;
}`;

/** Path in the package → text. */
export function generate(): Map<string, string> {
  const writer = new Writer();
  const declarations = ROOTS.map(
    ([name, what, section]) =>
      `/** What the table reads of ${what}. */\nexport interface ${name} ${writer.section(section, name, '')}\n`,
  );
  return new Map([['src/generated/values.ts', [HEADER, ...declarations].join('\n')]]);
}

class Writer {
  /** Where the type of a section is written out; further uses of the section refer to that place. */
  readonly #places = new Map<Section<object>, string>();

  section(section: Section<object>, place: string, indent: string): string {
    const known = this.#places.get(section);
    if (known !== undefined) return known;
    this.#places.set(section, place);
    const fields: [string, { readonly type: FieldType; readonly doc: string }][] = Object.entries(section.fields);
    if (fields.length === 0) return 'object';
    const inner = `${indent}  `;
    const members = fields.map(
      ([name, { type, doc }]) =>
        `${inner}/** ${doc} */\n${inner}readonly ${name}: ${this.#type(type, `${place}['${name}']`, inner)};\n`,
    );
    return `{\n${members.join('')}${indent}}`;
  }

  #type(type: FieldType, place: string, indent: string): string {
    switch (type.kind) {
      case 'text':
        return 'string';
      case 'integer':
        return type.optional ? 'number | undefined' : 'number';
      case 'boolean':
        return type.optional ? 'boolean | undefined' : 'boolean';
      case 'list':
        return type.of.kind === 'cidr'
          ? `readonly ${CIDR}[]`
          : `readonly ${this.#type(type.of, `${place}[number]`, indent)}[]`;
      case 'section': {
        const inner = type.optional ? `NonNullable<${place}>` : place;
        return `${this.section(type.section(), inner, indent)}${type.optional ? ' | undefined' : ''}`;
      }
      case 'labels':
        return 'Readonly<Record<string, string>>';
      case 'cidr':
        return `${CIDR} | undefined`;
      case 'network':
        return `${NETWORK.replaceAll('\n', `\n${indent}`)} | undefined`;
      case 'raw':
        return 'Node | undefined';
      case 'any':
        return 'undefined';
    }
  }
}
