// Generates the TypeScript types of the input from the tables, and the docs of keys from the comments of the tables.

import { baseInterfaceFields } from '../src/interfaces/base.ts';
import { KINDS } from '../src/interfaces/kinds.ts';
import { networkState } from '../src/state/network-state.ts';
import type { Field, Fields, Section, Type } from '../src/table/table.ts';
import { type Docs, readDocs } from './docs.ts';

/** Maps paths in the package to generated texts. `source` is the folder of the package's sources. */
export function generate(source: string): Map<string, string> {
  const docs = readDocs(source);
  return new Map([
    ['src/generated/docs.ts', docsFile(docs)],
    ['src/generated/types.ts', typesFile(docs)],
  ]);
}

function docsFile(docs: Docs): string {
  const text = JSON.stringify(Object.fromEntries(docs), undefined, 2);
  return `// Generated from the comments of the tables by scripts/generate.mjs; edit those instead.

/** What keys mean, by the name of their map. */
export const DOCS: Readonly<Record<string, Readonly<Record<string, string>>>> = ${text};
`;
}

function typesFile(docs: Docs): string {
  const sections = new Map<string, Section>();
  collect(networkState.fields, sections);
  collect(baseInterfaceFields, sections);
  const interfaces = Object.entries(KINDS);
  for (const [, { fields }] of interfaces) collect(fields, sections);

  const kinds = interfaces.map(([, { name }]) => name);
  const parts = [
    part(docs, 'NetworkState', networkState.doc, { ...networkState.fields }),
    part(docs, 'BaseInterface', 'What an interface of any type may have.', baseInterfaceFields),
    ...interfaces.map(([type, { name, doc, fields }]) => interfacePart(docs, type, name, doc, fields)),
    `  /** Entries of the Open vSwitch database; null drops one. */\n  ${OVS_DB}: { readonly [key: string]: string | number | bigint | boolean | null };`,
    ...[...sections.values()].map(({ name, doc, fields }) => part(docs, name, doc, fields)),
  ];
  const names = ['BaseInterface', ...kinds, OVS_DB, ...sections.keys()];
  const blocks = [
    `/** Every map that a network state is made of, by its name: \`StateParts['BondOptions']\`. */\nexport interface StateParts {\n${parts.join('\n')}\n}`,
    `/** ${networkState.doc} */\nexport type NetworkState = ${reference('NetworkState')};`,
    `/** Any interface; \`type\` tells which. */\nexport type Interface =\n${kinds.map((name) => `  | ${reference(name)}`).join('\n')};`,
    `/** The types of interfaces. */\nexport type InterfaceType = ${interfaces.map(([type]) => `'${type}'`).join(' | ')};`,
    `// Short names for use in here.\n${names.map((name) => `export type ${name} = ${reference(name)};`).join('\n')}`,
  ];
  return `// Generated from the tables of inputs by scripts/generate.mjs; edit those instead.\n\n${blocks.join('\n\n')}\n`;
}

const OVS_DB = 'OvsDbEntries';

function reference(name: string): string {
  return `StateParts['${name}']`;
}

function collect(fields: Fields, sections: Map<string, Section>): void {
  for (const { type } of Object.values(fields)) {
    const inner = type.kind === 'list' ? type.of : type;
    if (inner.kind !== 'section' || sections.has(inner.section.name)) continue;
    sections.set(inner.section.name, inner.section);
    collect(inner.section.fields, sections);
  }
}

function part(docs: Docs, name: string, doc: string, fields: Fields): string {
  return `  /** ${doc} */\n  ${name}: {\n${members(docs.get(name), fields)}  };`;
}

function interfacePart(docs: Docs, type: string, name: string, doc: string, fields: Fields): string {
  const kind = type === 'ethernet' ? "readonly type?: 'ethernet' | 'veth' | undefined" : `readonly type: '${type}'`;
  return `  /** ${doc} */\n  ${name}: ${reference('BaseInterface')} & {\n    ${kind};\n${members(docs.get(name), fields)}  };`;
}

function members(docs: Readonly<Record<string, string>> = {}, fields: Fields): string {
  return Object.entries(fields)
    .filter(([, { refused }]) => refused === undefined)
    .map(
      ([name, field]) =>
        `    /** ${docOf(name, field, docs)} */\n    readonly ${property(name)}${member(name, field)};\n`,
    )
    .join('');
}

function docOf(name: string, { doc }: Field, docs: Readonly<Record<string, string>>): string {
  const text = doc ?? docs[name];
  if (text === undefined) throw new Error(`the tables do not say what ${name} means`);
  return text;
}

function property(name: string): string {
  return /^[a-z_][a-z0-9_]*$/i.test(name) ? name : `'${name}'`;
}

function member(name: string, { type, required }: Field): string {
  const text = name === 'interfaces' ? 'readonly Interface[]' : typeText(type);
  return required ? `: ${text}` : `?: ${text}${text === 'unknown' ? '' : ' | undefined'}`;
}

function typeText(type: Type): string {
  switch (type.kind) {
    case 'boolean':
      return 'boolean';
    case 'integer':
      return type.bits === 64 ? 'number | bigint' : 'number';
    case 'text':
    case 'address':
    case 'open-choice':
      return 'string';
    case 'choice':
      return type.values.map((value) => `'${value}'`).join(' | ');
    case 'list': {
      const item = typeText(type.of);
      return /[|{]/.test(item) ? `readonly (${item})[]` : `readonly ${item}[]`;
    }
    case 'section':
      return reference(type.section.name);
    case 'special':
      return type.typescript;
    case 'ignored':
      return 'unknown';
  }
}
