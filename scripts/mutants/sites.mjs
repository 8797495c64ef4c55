// Where a source file can be changed so that a good test should notice. Text of messages and types is left alone.
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
 * Every mutant of a source text, in order: replace `start` … `end` by `text`.
 * @returns {{ kind: string, start: number, end: number, text: string, line: number, column: number, was: string }[]}
 */
export function mutantsOf(name, source) {
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true);
  const mutants = [];
  const add = (kind, node, text) => {
    const [start, end] = [node.getStart(file), node.getEnd()];
    const { line, character } = file.getLineAndCharacterOfPosition(start);
    mutants.push({ kind, start, end, text, line: line + 1, column: character + 1, was: source.slice(start, end) });
  };
  const visit = (node) => {
    if (isUntouched(node)) return;
    mutate(node, add);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return mutants;
}

function mutate(node, add) {
  if (ts.isBinaryExpression(node)) {
    const swap = SWAPS.get(node.operatorToken.getText());
    if (swap !== undefined) add('operator', node.operatorToken, swap);
  } else if (ts.isPrefixUnaryExpression(node)) {
    const operand = node.operand.getText();
    if (node.operator === SyntaxKind.ExclamationToken) add('negation', node, operand);
    else if (node.operator === SyntaxKind.PlusPlusToken) add('operator', node, `--${operand}`);
    else if (node.operator === SyntaxKind.MinusMinusToken) add('operator', node, `++${operand}`);
    else if (node.operator === SyntaxKind.MinusToken && !ts.isNumericLiteral(node.operand)) add('sign', node, operand);
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
  } else if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
    add('string', node, node.text === '' ? "'mutant'" : "''");
  } else if (node.kind === SyntaxKind.TrueKeyword) {
    add('boolean', node, 'false');
  } else if (node.kind === SyntaxKind.FalseKeyword) {
    add('boolean', node, 'true');
  } else if (ts.isExpressionStatement(node) && isCall(node.expression)) {
    add('call', node, ';');
  }
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
    isMessage(node)
  );
}

function isImport(node) {
  return ts.isCallExpression(node) && node.expression.kind === SyntaxKind.ImportKeyword;
}

function isName(node) {
  return ts.isPropertyAssignment(node.parent ?? node) && node.parent?.name === node && !ts.isComputedPropertyName(node);
}

/** The second argument of `new SomeError(code, message)`, the first of `new TypeError(message)`. */
function isMessage(node) {
  const { parent } = node;
  if (parent === undefined || !ts.isNewExpression(parent) || !/Error$/.test(parent.expression.getText())) return false;
  const [first, second] = parent.arguments ?? [];
  return node === second || (node === first && second === undefined);
}
