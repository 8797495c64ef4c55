import { HIDDEN, parseJson } from '@coreiso/diagnostics';
import { goQuote } from '@coreiso/diagnostics/go';

export interface PullSecretProblem {
  /** Upstream's complaint, with everything hidden that it quotes of the secret. */
  readonly message: string;
  /** What to look at, without quoting it. */
  readonly cure: string;
}

const CURE = 'Take the text of `.dockerconfigjson`: `oc extract secret/pull-secret -n openshift-config --to=-`.';

/** What upstream has against a pull secret. Any part of the text may be a secret, keys included, and so none is ever quoted. */
export function pullSecretProblem(text: string): PullSecretProblem | undefined {
  if (text === '') {
    return { message: 'stringData: Required value: the pull secret does not contain any data', cure: CURE };
  }
  const problem = pullSecretFault(text);
  return problem && { message: `stringData: Invalid value: "${HIDDEN}": ${problem.message}`, cure: problem.cure };
}

/**
 * The same, without the member that holds the secret.
 *
 * @example pullSecretFault('{}')?.message // 'auths required'
 */
export function pullSecretFault(text: string): PullSecretProblem | undefined {
  const parsed = parseJson(text);
  if (!parsed.ok) {
    const [first] = parsed.diagnostics;
    const place = first?.range === undefined ? '' : ` It is no JSON at character ${first.range.start.offset + 1}.`;
    return { message: withoutCharacters(first?.message ?? 'unexpected end of JSON input'), cure: `${CURE}${place}` };
  }
  const auths = member(JSON.parse(text), 'auths');
  if (auths === undefined || auths === null) return { message: 'auths required', cure: CURE };
  const entries = Object.values(typeof auths === 'object' ? auths : {});
  const position = entries.findIndex((entry) => !member(entry, 'auth') && !member(entry, 'credsStore'));
  if (position === -1) return undefined;
  const message = `${goQuote(HIDDEN)} requires either auth or credsStore`;
  return { message, cure: `Give entry ${position + 1} of \`auths\` an \`auth\`, or remove it.` };
}

/** Go's decoder quotes the character that it stumbles over. */
export function withoutCharacters(message: string): string {
  return message.replace(/'(?:\\.[^']*|[^'])'/gu, `'${HIDDEN}'`);
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}
