// The API reference, from the declarations of exports and their comments.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { packages, root } from '../../test/support/sources.ts';
import type { Pages } from './generate.ts';
import { block, code, page, prose, table } from './markdown.ts';

/** One name of an entry. */
interface ApiName {
  readonly name: string;
  /** The specifiers from which it can be imported. */
  readonly entries: string[];
  readonly kind: 'function' | 'class' | 'value' | 'type';
  readonly declarations: readonly string[];
  readonly comment: string;
  readonly examples: readonly string[];
}

export function apiPages(): Pages {
  const all = new Map(packages.map((folder) => [folder, entriesOf(folder)]));
  const program = ts.createProgram(
    [...all.values()].flatMap((entries) => entries.map(({ file }) => file)),
    {
      module: ts.ModuleKind.NodeNext,
      customConditions: ['@coreiso/source'],
      allowImportingTsExtensions: true,
      noEmit: true,
      noLib: true,
      types: [],
    },
  );
  const pages = new Map<string, string>();
  const rows: string[][] = [];
  for (const [folder, entries] of all) {
    const names = namesOf(program, entries);
    const { name, description } = manifestOf(folder);
    pages.set(`api/${folder}.md`, packagePage(name, description, names));
    rows.push([`[${code(name)}](./${folder}.md)`, prose(description), String(names.length)]);
  }
  const index = page(
    '# API',
    'Everything that the packages export, from their doc comments.',
    table(['Package', 'What it does', 'Names'], rows),
  );
  return pages.set('api/index.md', index);
}

interface Entry {
  readonly specifier: string;
  readonly file: string;
}

interface Manifest {
  readonly name: string;
  readonly description: string;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'));
}

function entriesOf(folder: string): Entry[] {
  const { name, exports } = manifestOf(folder);
  return Object.entries(exports).flatMap(([key, target]) => {
    const source = typeof target === 'string' ? undefined : target['@coreiso/source'];
    return source === undefined
      ? []
      : [{ specifier: name + key.slice(1), file: join(root, 'packages', folder, source) }];
  });
}

function namesOf(program: ts.Program, entries: readonly Entry[]): ApiName[] {
  const checker = program.getTypeChecker();
  const found = new Map<string, ApiName>();
  for (const { specifier, file } of entries) {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    if (module === undefined) throw new Error(`${specifier} exports nothing`);
    for (const exported of checker.getExportsOfModule(module)) {
      const known = found.get(exported.name);
      if (known !== undefined) known.entries.push(specifier);
      else {
        const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
        found.set(exported.name, { ...describe(symbol, checker), name: exported.name, entries: [specifier] });
      }
    }
  }
  return [...found.values()].sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

function describe(symbol: ts.Symbol, checker: ts.TypeChecker): Omit<ApiName, 'name' | 'entries'> {
  const { flags, declarations = [] } = symbol;
  const overloads = declarations.filter((one) => !(ts.isFunctionDeclaration(one) && one.body !== undefined));
  const shown = overloads.length > 0 ? overloads : declarations;
  const tags = symbol.getJsDocTags(checker).filter(({ name }) => name === 'example');
  return {
    kind:
      flags & ts.SymbolFlags.Function
        ? 'function'
        : flags & ts.SymbolFlags.Class
          ? 'class'
          : flags & ts.SymbolFlags.Value
            ? 'value'
            : 'type',
    declarations: shown.map((one) => declarationText(one, checker)),
    comment: ts.displayPartsToString(symbol.getDocumentationComment(checker)),
    examples: tags.map(({ text }) => exampleText(ts.displayPartsToString(text))),
  };
}

/** In the form of a declaration file: without bodies, initial values and private members. */
function declarationText(node: ts.Declaration, checker: ts.TypeChecker): string {
  const text = node.getSourceFile().text;
  if (ts.isVariableDeclaration(node)) {
    const type = node.type?.getText() ?? checker.typeToString(checker.getTypeAtLocation(node));
    return `const ${node.name.getText()}: ${type};`;
  }
  if (ts.isFunctionDeclaration(node) && node.body !== undefined) {
    return `${stripped(text.slice(node.getStart(), node.body.getStart()).trimEnd())};`;
  }
  if (ts.isClassDeclaration(node)) return classText(node, text);
  return stripped(node.getText());
}

function classText(node: ts.ClassDeclaration, text: string): string {
  const head = text.slice(node.getStart(), node.members.pos).trimEnd();
  const members = node.members.filter((member) => !isPrivate(member)).map((member) => memberText(member, text));
  return `${stripped(head)}\n${members.join('\n')}\n}`;
}

function isPrivate(member: ts.ClassElement): boolean {
  if (member.name !== undefined && ts.isPrivateIdentifier(member.name)) return true;
  return (
    ts.canHaveModifiers(member) &&
    ts.getModifiers(member)?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword) === true
  );
}

function memberText(member: ts.ClassElement, text: string): string {
  const comment = text.slice(member.getFullStart(), member.getStart()).trim();
  const end =
    'body' in member && member.body !== undefined
      ? (member.body as ts.Node).getStart()
      : ts.isPropertyDeclaration(member) && member.initializer !== undefined
        ? (member.type ?? member.name).getEnd()
        : member.getEnd();
  const own = `${text.slice(member.getStart(), end).trimEnd().replace(/;$/, '')};`;
  return `${comment === '' ? '' : `  ${comment}\n`}  ${own}`;
}

function stripped(text: string): string {
  return text.replace(/^export (?:declare )?/, '').replace(/^async /, '');
}

/** The program of an example; some are in a fence, some are one line. */
function exampleText(text: string): string {
  return text.replace(/^\s*```\w*\n([\s\S]*?)```\s*$/, '$1').trim();
}

const TITLES = { function: 'Functions', class: 'Classes', value: 'Constants', type: 'Types' } as const;

function packagePage(specifier: string, description: string, names: readonly ApiName[]): string {
  const parts = Object.entries(TITLES).flatMap(([kind, title]) => {
    const own = names.filter((one) => one.kind === kind);
    return own.length === 0 ? [] : [`## ${title}`, ...own.flatMap(nameSection)];
  });
  return page(`# ${specifier}`, `${prose(description)}.`, ...parts);
}

function nameSection({ name, entries, declarations, comment, examples }: ApiName): string[] {
  return [
    `### ${name}`,
    ...comment.split(/\n{2,}/).map((paragraph) => prose(paragraph.replaceAll('\n', ' '))),
    block('ts', declarations.join('\n')),
    ...(examples.length === 0 ? [] : ['Example:', ...examples.map((example) => block('ts', example))]),
    `From ${entries.map(code).join(', ')}.`,
  ];
}
