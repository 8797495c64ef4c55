// Inserts counters into TypeScript or JavaScript: one for each function, branch, loop and case, and a step for each
// function and loop. Only text is inserted, never a line, so that the lines of a stack are those of the source.
import { parseAst } from 'rolldown/parseAst';

/** Code below these nodes does not run, or runs only once. */
const SKIPPED = new Set([
  'ImportDeclaration',
  'ExportAllDeclaration',
  'TSInterfaceDeclaration',
  'TSTypeAliasDeclaration',
]);
const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
const LOOPS = new Set(['ForStatement', 'ForInStatement', 'ForOfStatement', 'WhileStatement', 'DoWhileStatement']);

/**
 * @param {string} code
 * @param {{ name: string, runtime: string, lang?: 'ts' | 'js' }} options `name` identifies the counters,
 * `runtime` is the module that defines them
 */
export function instrument(code, { name, runtime, lang = 'ts' }) {
  const inserted = [];
  const literals = new Set();
  let count = 0;
  const at = (offset, text, order = 0) => inserted.push({ offset, text, order, number: inserted.length });
  const counter = () => `$c[${count++}]++`;
  const block = (node, more = '') => {
    if (node.type === 'BlockStatement') return at(node.start + 1, `${counter()};${more}`);
    at(node.start, `{${counter()};${more}`, 1);
    at(node.end, '}', -1);
  };
  const expression = (node, more = '') => {
    at(node.start, `(${counter()},${more}`, 1);
    at(node.end, ')', -1);
  };
  const enter = (node) => {
    if (FUNCTIONS.has(node.type) && node.body !== null) {
      if (node.body.type === 'BlockStatement') block(node.body, '$s();');
      else expression(node.body, '$s(),');
    } else if (LOOPS.has(node.type)) block(node.body, '$s();');
    else if (node.type === 'IfStatement') {
      if (node.alternate === null) at(node.end, `else ${counter()};`, -1);
      else block(node.alternate);
      block(node.consequent);
    } else if (node.type === 'ConditionalExpression') {
      expression(node.consequent);
      expression(node.alternate);
    } else if (node.type === 'LogicalExpression') expression(node.right);
    else if (node.type === 'SwitchCase' && node.consequent.length > 0) at(node.consequent[0].start, `${counter()};`);
    else if (node.type === 'CatchClause') block(node.body);
    else if (node.type === 'NewExpression' && node.callee.name === 'Uint8Array') {
      inserted.push({ offset: node.start, text: '$a', order: 2, number: inserted.length, until: node.callee.end });
    }
    collectLiteral(node, literals);
  };
  walk(parseAst(code, { lang }), enter);
  const head = `import{region as $r,step as $s,allocate as $a}from${JSON.stringify(runtime)};const $c=$r(${JSON.stringify(name)},${count},${JSON.stringify([...literals])});`;
  return head + splice(code, inserted);
}

function walk(node, enter) {
  if (SKIPPED.has(node.type)) return;
  enter(node);
  for (const [key, value] of Object.entries(node)) {
    if (key === 'typeAnnotation' || key === 'returnType' || key === 'typeParameters' || key === 'typeArguments')
      continue;
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child?.type === 'string' && typeof child.start === 'number') walk(child, enter);
    }
  }
}

/** Texts and magic numbers that the code compares with or searches for: words for the mutators. */
function collectLiteral(node, literals) {
  if (node.type === 'TemplateElement') return;
  if (node.type === 'Property' && node.key.type === 'Identifier' && !node.computed) literals.add(node.key.name);
  if (node.type !== 'Literal') return;
  const { value } = node;
  if (typeof value === 'string' && value.length > 0 && value.length <= 40) literals.add(value);
  if (typeof value === 'number' && Number.isInteger(value) && value > 255) literals.add(value);
}

/** Insertions at one place: closing ones come before opening ones, and later openings are further inside. */
function splice(code, inserted) {
  inserted.sort(
    (a, b) => a.offset - b.offset || a.order - b.order || (a.order < 0 ? b.number - a.number : a.number - b.number),
  );
  let [text, done] = ['', 0];
  for (const { offset, text: added, until } of inserted) {
    text += code.slice(done, offset) + added;
    done = until ?? offset;
  }
  return text + code.slice(done);
}
