import { parseJson } from '@coreiso/diagnostics';
import { goQuote } from '../text/field-errors.ts';

/** Upstream's complaint about a pull secret. It quotes the secret; ours quotes it only where upstream could find nothing secret in it. */
export function pullSecretProblem(text: string): string | undefined {
  if (text === '') return 'stringData: Required value: the pull secret does not contain any data';
  const cause = causeOf(text);
  return cause && `stringData: Invalid value: ${goQuote(/"auth"|:/.test(text) ? masked(text) : text)}: ${cause}`;
}

/** Credentials are replaced; what is left tells what is wrong. */
function masked(text: string): string {
  return text.replace(/("(?:auth|password|identitytoken|username|email)"\s*:\s*)"[^"]*"/gi, '$1"…"');
}

function causeOf(text: string): string | undefined {
  const parsed = parseJson(text);
  if (!parsed.ok) return parsed.diagnostics[0]?.message ?? 'not JSON';
  const root: unknown = JSON.parse(text);
  const auths = member(root, 'auths');
  if (auths === undefined || auths === null) return 'auths required';
  for (const [registry, entry] of Object.entries(typeof auths === 'object' ? auths : {})) {
    if (!member(entry, 'auth') && !member(entry, 'credsStore'))
      return `${goQuote(registry)} requires either auth or credsStore`;
  }
  return undefined;
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}
