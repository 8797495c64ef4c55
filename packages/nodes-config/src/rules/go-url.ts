// What Go's `url.Parse` refuses, as far as upstream asks for it: whether there is a scheme and whether the rest can be read.

import { goQuote } from '../text/field-errors.ts';

/** Upstream's complaint about a URI, or undefined if it takes it. */
export function uriProblem(text: string): string | undefined {
  const problem = parseProblem(text);
  if (problem !== undefined) return `parse ${goQuote(text)}: ${problem}`;
  return schemeOf(text) === '' ? `invalid URI ${goQuote(text)} (no scheme)` : undefined;
}

function parseProblem(text: string): string | undefined {
  const [whole = '', ...fragment] = text.split('#');
  if (/[\x00-\x1f\x7f]/.test(whole)) return 'net/url: invalid control character in URL';
  const scheme = schemeOf(whole);
  if (scheme === undefined) return 'missing protocol scheme';
  const rest = whole.slice(scheme === '' ? 0 : scheme.length + 1).replace(/\?.*$/s, '');
  return restProblem(scheme, rest) ?? escapeProblem(fragment.join('#'));
}

function restProblem(scheme: string, rest: string): string | undefined {
  // `mailto:` and the like are not looked into.
  if (!rest.startsWith('/') && scheme !== '') return undefined;
  if (!rest.startsWith('/') && /^[^/]*:/.test(rest)) return 'first path segment in URL cannot contain colon';
  if (!rest.startsWith('//') || (scheme === '' && rest.startsWith('///'))) return escapeProblem(rest);
  const slash = rest.indexOf('/', 2);
  const authority = rest.slice(2, slash === -1 ? rest.length : slash);
  return authorityProblem(authority) ?? escapeProblem(slash === -1 ? '' : rest.slice(slash));
}

/** Empty where there is none, undefined where the text begins with a colon. */
function schemeOf(text: string): string | undefined {
  if (text.startsWith(':')) return undefined;
  return /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1] ?? '';
}

function authorityProblem(authority: string): string | undefined {
  const at = authority.lastIndexOf('@');
  if (at !== -1 && !/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(authority.slice(0, at)))
    return 'net/url: invalid userinfo';
  return (at === -1 ? undefined : escapeProblem(authority.slice(0, at))) ?? hostProblem(authority.slice(at + 1));
}

function hostProblem(host: string): string | undefined {
  const bracket = host.lastIndexOf(']');
  if (host.startsWith('[') && bracket === -1) return "missing ']' in host";
  const colon = host.startsWith('[') ? bracket + 1 : host.lastIndexOf(':');
  const port = colon === -1 ? '' : host.slice(colon);
  if (port !== '' && !/^:[0-9]*$/.test(port)) return `invalid port ${goQuote(port)} after host`;
  const bad = /[^A-Za-z0-9\-._~!$&'()*+,;=:[\]<>"%\u0080-\u{10ffff}]/u.exec(host);
  if (bad !== null) return `invalid character ${goQuote(bad[0])} in host name`;
  // Names may escape what is not ASCII, and the mark of a zone.
  const badEscape = /%(?!25|[89a-f][0-9a-f])/i.exec(host);
  return badEscape === null
    ? undefined
    : `invalid URL escape ${goQuote(host.slice(badEscape.index, badEscape.index + 3))}`;
}

function escapeProblem(text: string): string | undefined {
  const bad = /%(?![0-9A-Fa-f]{2})/.exec(text);
  return bad === null ? undefined : `invalid URL escape ${goQuote(text.slice(bad.index, bad.index + 3))}`;
}
