// A plugin for rolldown: every function of the packages reports when it is entered. Code that runs while a module loads does not
// count.
import { relative } from 'node:path';
import ts from 'typescript';

/** @param functions receives the file of each function and whether other files can import it, by the number that the function reports */
export function visits(root, functions) {
  return {
    name: 'visits',
    transform: {
      filter: { id: /packages[\\/][^\\/]+[\\/]src[\\/].*\.ts$/ },
      handler(code, id) {
        const name = relative(root, id)
          .replaceAll('\\', '/')
          .replace(/^packages\/([^/]+)\/src\//, '$1/');
        const told = telling(code, (isExported) => functions.push({ file: name, isExported }) - 1);
        return `globalThis.__walk.loading++;\n${told}\nglobalThis.__walk.loading--;\n`;
      },
    },
  };
}

/** A function that is exported, or a member of an exported class. */
function isExported(node) {
  const declaration = ts.isClassElement(node) ? node.parent : node;
  return (
    ts.canHaveModifiers(declaration) &&
    (ts.getModifiers(declaration) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
  );
}

/** The source with a call at the beginning of each function. */
function telling(code, number) {
  const file = ts.createSourceFile('', code, ts.ScriptTarget.Latest, true);
  const insertions = [];
  const see = (node) => {
    if (ts.isFunctionLike(node) && node.body !== undefined) {
      const { body } = node;
      const call = `globalThis.__walk.visit(${number(isExported(node))})`;
      if (ts.isBlock(body)) insertions.push([body.getStart(file) + 1, ` ${call};`]);
      else insertions.push([body.getStart(file), `(${call}, `], [body.getEnd(), ')']);
    }
    ts.forEachChild(node, see);
  };
  see(file);
  // From the end, so that positions stay valid. Of two at one place, the inner closes first.
  const lastFirst = insertions.map(([position, text], index) => ({ position, text, index }));
  lastFirst.sort((a, b) => b.position - a.position || (a.text === ')' ? 1 : b.index - a.index));
  return lastFirst.reduce(
    (text, { position, text: piece }) => text.slice(0, position) + piece + text.slice(position),
    code,
  );
}
