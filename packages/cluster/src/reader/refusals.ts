// Failed answers, and the errors for them.
import { showLine } from '@coreiso/peers/controls';
import { ClusterError, type ClusterErrorCode, reasonOf } from '../errors.ts';
import { isObject, type KubeObject, memberOf, textOf } from '../objects.ts';
import { redirectTarget, sizeText, textUpTo } from './answer.ts';

const CODES: Readonly<Record<number, ClusterErrorCode>> = {
  401: 'CLUSTER_UNAUTHORIZED',
  403: 'CLUSTER_FORBIDDEN',
  404: 'CLUSTER_NOT_FOUND',
  409: 'CLUSTER_CONFLICT',
  410: 'CLUSTER_EXPIRED',
};

/** A Status object explains a refusal in a few hundred bytes. */
const LONGEST_REFUSAL = 1024 * 1024;

/** The error for a failed answer, in the API's own words if the API answered. */
export async function refusal(response: Response, path: string): Promise<ClusterError> {
  const { text } = await textUpTo(response, LONGEST_REFUSAL).catch(() => ({ text: '' }));
  const status = parseObject(text);
  if (status !== undefined && textOf(status, 'kind') === 'Status') return statusError(status);
  const { status: code } = response;
  const known = CODES[code];
  if (known === undefined || text.trimStart().startsWith('<'))
    return notAnApi(describeBody(text, response, path), code);
  return new ClusterError(known, `${path}: HTTP status ${code}`, { status: code });
}

/** A Status object as an error. */
export function statusError(status: KubeObject): ClusterError {
  const code = memberOf(status, 'code');
  const number = typeof code === 'number' ? code : 0;
  const message = textOf(status, 'message') || textOf(status, 'reason') || `status ${number}`;
  // A message of coreiso is one line, however long the server's is.
  return new ClusterError(CODES[number] ?? 'CLUSTER_API', showLine(message), { status: number });
}

export function notAnApi(message: string, status?: number): ClusterError {
  return new ClusterError('CLUSTER_NOT_AN_API', message, status === undefined ? {} : { status });
}

export function describeBody(text: string, response: Response, path: string): string {
  const kind = response.headers.get('content-type') ?? 'no type';
  const what = text.trimStart().startsWith('<') ? 'a web page' : kind;
  return `${path}: ${what} instead of JSON (HTTP status ${response.status}); check for a proxy or a login page in front of the API server`;
}

const UNTRUSTED = /CERT|SIGNATURE|SELF_SIGNED|ALTNAME/;

export function unreachable(server: string, error: unknown): ClusterError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = textOf(cause, 'code');
  const words = reasonOf(cause) || code;
  if (UNTRUSTED.test(code)) {
    return new ClusterError('CLUSTER_UNTRUSTED', `${server}: the server's certificate is not trusted: ${words}`, {
      cause: error,
    });
  }
  return new ClusterError('CLUSTER_UNREACHABLE', `${server} cannot be reached: ${words}`, { cause: error });
}

/** The error for data that exceeds its limit. */
export function tooLarge(path: string, what: string, limit: number): ClusterError {
  const message = `${path}: ${what} is longer than ${sizeText(limit)}; if the cluster is that large, set maxAnswerBytes (COREISO_MAX_ANSWER on the command line)`;
  return new ClusterError('CLUSTER_TOO_LARGE', message);
}

/** Throws if an answer redirects the request: credentials go only to the server that they are for. */
export async function refuseRedirect(response: Response, asked: string, path: string): Promise<void> {
  const target = redirectTarget(response, asked);
  if (target === undefined) return;
  await response.body?.cancel();
  const message = `${path}: the server redirects to ${target}, where credentials are not sent; use the address of the API server itself`;
  throw new ClusterError('CLUSTER_REDIRECTED', message, { status: response.status });
}

/** The object of a JSON text; undefined if it is not an object. */
export function parseObject(text: string): KubeObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
