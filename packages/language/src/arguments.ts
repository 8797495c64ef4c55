// The values in a finding's message, by name, for programs that word it in another language.
import { type Diagnostic, formatPath, type Path, type TextDocument } from '@coreiso/diagnostics';
import { isSecretPath } from '@coreiso/peers/secret-names';
import { nodesTo } from './path-at.ts';

/** No message shows longer values. */
const LONGEST = 200;

/**
 * The values of a finding, as far as it has them: `place` and `key` of the member, the written `value` unless it is
 * secret, the `suggestion`, and the `least` and `most` that a number may be.
 */
export function withArguments(finding: Diagnostic, document: TextDocument | undefined): Diagnostic {
  const { path, message, help = '' } = finding;
  const found: Record<string, string | number | boolean> = { ...finding.arguments };
  const key = path.findLast((step) => typeof step === 'string');
  if (path.length > 0) found['place'] ??= formatPath(path);
  if (typeof key === 'string') found['key'] ??= key;
  const value = document === undefined ? undefined : valueAt(document, path);
  if (value !== undefined && !isSecretPath(path)) found['value'] ??= value;
  const suggestion = /[Dd]id you mean `?([^`?]+?)`?\?/.exec(help)?.[1];
  if (suggestion !== undefined && !isSecretPath(path)) found['suggestion'] ??= suggestion;
  const [, least, most] = /\b(\d{1,10}) ?(?:to|–|\.\.) ?(\d{1,10})\b/.exec(`${message} ${help}`) ?? [];
  if (least !== undefined && most !== undefined) {
    found['least'] ??= Number(least);
    found['most'] ??= Number(most);
  }
  return Object.keys(found).length === 0 ? finding : { ...finding, arguments: found };
}

function valueAt(document: TextDocument, path: Path): string | undefined {
  const node = path.length === 0 ? undefined : nodesTo(document, path)[path.length];
  return node?.kind === 'scalar' && node.text.length <= LONGEST ? node.text : undefined;
}
