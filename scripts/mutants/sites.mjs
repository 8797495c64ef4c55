// Finds places in a source file whose change a good test should notice. Types, and text that only people read, are
// skipped.
import ts from 'typescript';

const SWAPS = new Map([
  ['+', '-'],
  ['-', '+'],
  ['*', '/'],
  ['/', '*'],
  ['%', '*'],
  ['<<', '>>'],
  ['>>', '<<'],
  ['>>>', '<<'],
  ['&', '|'],
  ['|', '&'],
  ['^', '&'],
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
  ['===', '!=='],
  ['!==', '==='],
  ['&&', '||'],
  ['||', '&&'],
  ['??', '&&'],
  ['+=', '-='],
  ['-=', '+='],
  ['&&=', '='],
  ['||=', '='],
  ['??=', '='],
]);

const { SyntaxKind } = ts;

/**
 * Every mutant of a source text, in order: `text` replaces `start` … `end`, which is an expression or the statement of a call.
 * @returns {{ kind: string, start: number, end: number, text: string, line: number, column: number, was: string, code: string }[]}
 */
export function mutantsOf(name, source) {
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true);
  const lines = source.split('\n');
  const mutants = [];
  const add = (kind, node, text, shown = node) => {
    const [start, end] = [node.getStart(file), node.getEnd()];
    const { line, character } = file.getLineAndCharacterOfPosition(shown.getStart(file));
    const place = { line: line + 1, column: character + 1, code: lines[line].trim() };
    mutants.push({ kind, start, end, text, ...place, was: source.slice(start, end) });
  };
  const visit = (node) => {
    if (isUntouched(node)) return;
    mutate(node, add);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return mutants;
}

/** The source with all mutants, each active if the expression `guard(mutant)` is true. */
export function withMutants(source, mutants, guard) {
  const outerFirst = mutants.toSorted((a, b) => a.start - b.start || b.end - a.end);
  const weave = (from, to, inside) => {
    let text = '';
    let position = from;
    while (inside.length > 0) {
      const { start, end, kind } = inside[0];
      const same = inside.filter((mutant) => mutant.start === start && mutant.end === end);
      const nested = inside.filter((mutant) => mutant.end <= end && !same.includes(mutant));
      const original = weave(start, end, nested);
      const choices = same.map((mutant) => `${guard(mutant)} ? ${mutant.text} : `).join('');
      const woven = kind === 'call' ? `{ if (!(${guard(inside[0])})) ${original} }` : `(${choices}${original})`;
      text += source.slice(position, start) + woven;
      position = end;
      inside = inside.filter((mutant) => mutant.start >= end);
    }
    return text + source.slice(position, to);
  };
  return weave(0, source.length, outerFirst);
}

function mutate(node, add) {
  if (ts.isBinaryExpression(node)) {
    const { left, operatorToken, right } = node;
    const swap = SWAPS.get(operatorToken.getText());
    if (swap !== undefined) add('operator', node, `${operand(left)} ${swap} ${operand(right)}`, operatorToken);
  } else if (ts.isPrefixUnaryExpression(node)) {
    const inner = node.operand.getText();
    if (node.operator === SyntaxKind.ExclamationToken) add('negation', node, inner);
    else if (node.operator === SyntaxKind.PlusPlusToken) add('operator', node, `--${inner}`);
    else if (node.operator === SyntaxKind.MinusMinusToken) add('operator', node, `++${inner}`);
    else if (node.operator === SyntaxKind.MinusToken && !ts.isNumericLiteral(node.operand)) add('sign', node, inner);
  } else if (ts.isPostfixUnaryExpression(node)) {
    add('operator', node, node.operand.getText() + (node.operator === SyntaxKind.PlusPlusToken ? '--' : '++'));
  } else if (ts.isIfStatement(node)) {
    both(node.expression, add);
  } else if (ts.isWhileStatement(node)) {
    add('condition', node.expression, 'false');
  } else if (ts.isConditionalExpression(node)) {
    both(node.condition, add);
  } else if (ts.isNumericLiteral(node)) {
    add('number', node, `(${node.getText()} + 1)`);
  } else if (ts.isBigIntLiteral(node)) {
    add('number', node, `(${node.getText()} + 1n)`);
  } else if (ts.isTaggedTemplateExpression(node)) {
    add('string', node, `${node.tag.getText()}${node.template.getText() === '``' ? '`mutant`' : '``'}`);
  } else if (ts.isStringLiteralLike(node)) {
    add('string', node, node.text === '' ? "'mutant'" : "''");
  } else if (node.kind === SyntaxKind.TrueKeyword) {
    add('boolean', node, 'false');
  } else if (node.kind === SyntaxKind.FalseKeyword) {
    add('boolean', node, 'true');
  } else if (ts.isExpressionStatement(node) && isCall(node.expression)) {
    add('call', node, ';');
  }
}

/** An operand that stays one under every operator. */
function operand(node) {
  const isLoose = ts.isBinaryExpression(node) || ts.isConditionalExpression(node) || ts.isArrowFunction(node);
  return isLoose ? `(${node.getText()})` : node.getText();
}

function both(condition, add) {
  if (condition.kind !== SyntaxKind.TrueKeyword) add('condition', condition, 'true');
  if (condition.kind !== SyntaxKind.FalseKeyword) add('condition', condition, 'false');
}

function isCall(expression) {
  const inner = ts.isAwaitExpression(expression) ? expression.expression : expression;
  return ts.isCallExpression(inner) && inner.expression.kind !== SyntaxKind.SuperKeyword;
}

function isUntouched(node) {
  return (
    ts.isTypeNode(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node) ||
    isImport(node) ||
    isName(node) ||
    isTemplateOfTag(node) ||
    isMessage(node) ||
    isForReaders(node)
  );
}

function isImport(node) {
  return ts.isCallExpression(node) && node.expression.kind === SyntaxKind.ImportKeyword;
}

/** `'a'` in `{ 'a': 1 }`, in `class { 'a'() {} }` and in `const { 'a': b } = c`. */
function isName(node) {
  const isLiteral = ts.isStringLiteralLike(node) || ts.isNumericLiteral(node);
  return isLiteral && (node.parent.name === node || node.parent.propertyName === node);
}

function isTemplateOfTag(node) {
  return ts.isNoSubstitutionTemplateLiteral(node) && ts.isTaggedTemplateExpression(node.parent);
}

/** The second argument of `new SomeError(code, message)`, the first of `new TypeError(message)`. */
function isMessage(node) {
  const { parent } = node;
  if (parent === undefined || !ts.isNewExpression(parent) || !/Error$/.test(parent.expression.getText())) return false;
  const [first, second] = parent.arguments ?? [];
  return node === second || (node === first && second === undefined);
}

/** Properties of findings, option tables and schemas that are printed and that no program reads. */
const FOR_READERS = new Set(['message', 'help', 'doc', 'help', 'summary', 'about', 'description']);

/**
 * Text that only people read: a property for them, words passed to the constructor of a thrown error (codes have no
 * blanks), and whole sentences (no key, path, command or line of a file begins like one and ends with a full stop).
 */
function isForReaders(node) {
  if (!ts.isStringLiteralLike(node)) return false;
  let top = node;
  while (isPartOfText(top)) top = top.parent;
  const { parent } = top;
  if (ts.isPropertyAssignment(parent) && FOR_READERS.has(parent.name.getText())) return true;
  const isThrown = ts.isCallExpression(parent) && ts.isThrowStatement(parent.parent);
  return (isThrown && node.text.includes(' ')) || /^[A-Z][^\n]* [^\n]*\.$/.test(node.text);
}

/** Skips parentheses, and the branches of `a ? b : c`. */
function isPartOfText(node) {
  const { parent } = node;
  return ts.isParenthesizedExpression(parent) || (ts.isConditionalExpression(parent) && parent.condition !== node);
}
