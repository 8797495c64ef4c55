import { parseJson } from '@coreiso/diagnostics';
import { goQuote } from '@coreiso/peers/go';
import { HIDDEN } from '@coreiso/peers/hidden';
import { isObject } from '@coreiso/peers/members';

/** Why a pull secret is refused. */
export interface PullSecretProblem {
  /** Upstream's complaint, with all quoted parts of the secret hidden. */
  readonly message: string;
  /** Which part to check, without quoting it. */
  readonly help: string;
}

const CURE = 'Take the text of `.dockerconfigjson`: `oc extract secret/pull-secret -n openshift-config --to=-`.';

/** Why upstream refuses a pull secret. Any part of the text may be a secret, keys included, so none is ever quoted. */
export function pullSecretProblem(text: string): PullSecretProblem | undefined {
  if (text === '') {
    return { message: 'stringData: Required value: the pull secret does not contain any data', help: CURE };
  }
  const problem = pullSecretFault(text);
  return problem && { message: `stringData: Invalid value: "${HIDDEN}": ${problem.message}`, help: problem.help };
}

/**
 * Like `pullSecretProblem`, without the member that holds the secret.
 *
 * @example pullSecretFault('{}')?.message // 'auths required'
 */
export function pullSecretFault(text: string): PullSecretProblem | undefined {
  const parsed = parseJson(text);
  if (!parsed.ok) {
    const [first] = parsed.diagnostics;
    const place = first?.range === undefined ? '' : ` It is not JSON at character ${first.range.start.offset + 1}.`;
    return { message: withoutCharacters(first?.message ?? 'unexpected end of JSON input'), help: `${CURE}${place}` };
  }
  const secret: unknown = JSON.parse(text);
  if (secret !== null && !isObject(secret)) return typeMismatch(secret, 'Go value of type validate.imagePullSecret');
  const auths = secret === null ? undefined : member(secret, 'auths');
  if (auths === undefined || auths === null) return { message: 'auths required', help: CURE };
  const field = 'Go struct field imagePullSecret.auths of type';
  if (!isObject(auths)) return typeMismatch(auths, `${field} map[string]map[string]interface {}`);
  const entries = Object.values(auths);
  if (entries.length === 0) return { message: 'auths required', help: CURE };
  const odd = entries.find((entry) => entry !== null && !isObject(entry));
  if (odd !== undefined) return typeMismatch(odd, `${field} map[string]interface {}`);
  const lacking = entries.flatMap((entry, position) =>
    isObject(entry) && ('auth' in entry || 'credsStore' in entry) ? [] : [position + 1],
  );
  if (lacking.length === 0) return undefined;
  const complaints = lacking.map(() => `${goQuote(HIDDEN)} requires either auth or credsStore`);
  const message = complaints.length === 1 ? complaints.join('') : `[${complaints.join(', ')}]`;
  return { message, help: `Give entry ${lacking.join(' and ')} of \`auths\` an \`auth\`, or remove it.` };
}

/** Reports JSON of another shape, in the words of Go's decoder. */
function typeMismatch(value: unknown, target: string): PullSecretProblem {
  const kind = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  return { message: `json: cannot unmarshal ${kind} into ${target}`, help: CURE };
}

/** Hides the character that a message of Go's decoder quotes. */
export function withoutCharacters(message: string): string {
  return message.replace(/'(?:\\.[^']*|[^'])'/gu, `'${HIDDEN}'`);
}

/** Go ignores the letter case of keys when it reads a struct. */
function member(value: object, name: string): unknown {
  return Object.entries(value).findLast(([key]) => key.toLowerCase() === name)?.[1];
}
