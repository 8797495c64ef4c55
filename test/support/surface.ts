import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { packages, root } from './sources.ts';

/** A name that users can import, with its entries. */
export interface PublicName {
  /** The folder of the package. */
  readonly package: string;
  readonly name: string;
  readonly isType: boolean;
  readonly isDocumented: boolean;
  /** Types of coreiso in its declaration that no package exports. */
  readonly unexported: readonly string[];
}

/** The exports of all packages, as the compiler resolves them; without a type check, which keeps it to seconds. */
export function publicNames(): PublicName[] {
  const entries = packages.flatMap((name) => entriesOf(name).map((file) => [name, file] as const));
  const program = ts.createProgram(
    entries.map(([, file]) => file),
    {
      module: ts.ModuleKind.NodeNext,
      customConditions: ['@coreiso/source'],
      allowImportingTsExtensions: true,
      noEmit: true,
      noLib: true,
      types: [],
    },
  );
  const checker = program.getTypeChecker();
  const resolved = (symbol: ts.Symbol): ts.Symbol =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;

  const found = new Map<string, readonly [folder: string, ts.Symbol]>();
  for (const [name, file] of entries) {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    if (module === undefined) throw new Error(`${file} exports nothing`);
    for (const symbol of checker.getExportsOfModule(module))
      found.set(`${name} ${symbol.name}`, [name, resolved(symbol)]);
  }
  const all = new Set([...found.values()].map(([, symbol]) => symbol));
  const isOurs = ({ declarations = [] }: ts.Symbol): boolean =>
    declarations.some((one) => /\/packages\/[^/]+\/src\//.test(one.getSourceFile().fileName));

  function unexportedIn(symbol: ts.Symbol): string[] {
    const names = new Set<string>();
    const visit = (node: ts.Node): void => {
      if (isHidden(node)) return;
      const name = typeName(node);
      const target = name && checker.getSymbolAtLocation(name);
      if (target !== undefined) {
        const type = resolved(target);
        const isParameter = Boolean(type.flags & ts.SymbolFlags.TypeParameter);
        if (!isParameter && isOurs(type) && !all.has(type)) names.add(type.name);
      }
      ts.forEachChild(node, visit);
    };
    for (const declaration of symbol.declarations ?? []) visit(declaration);
    return [...names];
  }

  return [...found].map(([key, [folder, symbol]]) => ({
    package: folder,
    name: key.slice(folder.length + 1),
    isType: (symbol.flags & ts.SymbolFlags.Value) === 0,
    isDocumented: symbol.getDocumentationComment(checker).some(({ text }) => /\w+ \w+/.test(text)),
    unexported: unexportedIn(symbol),
  }));
}

function entriesOf(name: string): string[] {
  const manifest: { exports: Record<string, string | Record<string, string>> } = JSON.parse(
    readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'),
  );
  return Object.values(manifest.exports).flatMap((target) => {
    const source = typeof target === 'string' ? undefined : target['@coreiso/source'];
    return source === undefined ? [] : [join(root, 'packages', name, source)];
  });
}

/** Parts that a declaration file leaves out: bodies, initial values, private members. */
function isHidden(node: ts.Node): boolean {
  if (ts.isBlock(node) || ts.isPrivateIdentifier(node)) return true;
  if (ts.isPropertyDeclaration(node) || ts.isMethodDeclaration(node) || ts.isAccessor(node)) {
    if (ts.isPrivateIdentifier(node.name)) return true;
  }
  if (ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword)) {
    return true;
  }
  const { parent } = node;
  return parent !== undefined && 'initializer' in parent && parent.initializer === node;
}

function typeName(node: ts.Node): ts.Node | undefined {
  if (ts.isTypeReferenceNode(node)) return node.typeName;
  return ts.isExpressionWithTypeArguments(node) ? node.expression : undefined;
}
