import { authTokenSecret, reusableTokens, type ServiceCredentials } from '@coreiso/nodes-config';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { SAMPLE_CREDENTIALS } from '../../../openshift/test/join/sample-credentials.ts';

const { tokens } = SAMPLE_CREDENTIALS;
const EXPIRY = Date.parse(tokens.expires ?? '');
const DAY = 24 * 3600 * 1000;
const EARLY = new Date(EXPIRY - 2 * DAY);
const PLACE = 'auth token secret openshift-config/agent-auth-token';

function secretOf(changes: Partial<ServiceCredentials['tokens']> = {}): string {
  return authTokenSecret({ ...tokens, ...changes }, EARLY);
}

/** The reason why tokens cannot be reused. */
function refusal(objects: unknown, now: Date = EARLY): string {
  const reuse = reusableTokens(objects, now);
  if (reuse.ok) throw new Error('the tokens were taken');
  expect(reuse.reason).not.toContain('eyJ');
  return reuse.reason;
}

function jwt(claims: unknown): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'ES256' })}.${part(claims)}.c2ln`;
}

describe('the tokens of the cluster are reused', () => {
  test('with the rest of their lifetime', () => {
    expect(reusableTokens(secretOf(), EARLY)).toEqual({ ok: true, tokens });
    expect(reusableTokens(load(secretOf()), EARLY)).toEqual({ ok: true, tokens });
  });

  test('until a day before they expire', () => {
    expect(reusableTokens(secretOf(), new Date(EXPIRY - DAY)).ok).toBe(true);
    const words = `${PLACE} holds tokens that are valid only until 2026-11-19T03:04:05.000Z`;
    expect(refusal(secretOf(), new Date(EXPIRY - DAY + 1))).toBe(words);
    expect(refusal(secretOf(), new Date(EXPIRY + DAY))).toBe(words);
  });

  test('until the expiry in the token of the user, not the one in the annotations', () => {
    const exp = EXPIRY / 1000 + 7 * 24 * 3600;
    const later = secretOf({ user: jwt({ exp }) });
    const reuse = reusableTokens(later, new Date(EXPIRY));
    expect(reuse.ok && reuse.tokens.expires).toBe('2026-11-26T03:04:05Z');
  });
});

describe('new tokens are needed, with the reason', () => {
  test.each(['agent', 'user', 'watcher'] as const)('if the token of the %s is missing', (name) => {
    expect(refusal(secretOf({ [name]: '' }))).toBe(
      `${PLACE} is missing one or more required keys (agentAuthToken, userAuthToken, or watcherAuthToken) or they are empty`,
    );
  });

  test('if the Secret is that of 4.17, with one token', () => {
    const data = { agentAuthToken: Buffer.from(tokens.agent).toString('base64') };
    const metadata = { name: 'agent-auth-token', namespace: 'openshift-config' };
    expect(refusal({ apiVersion: 'v1', kind: 'Secret', metadata, data })).toContain(
      'missing one or more required keys',
    );
  });

  test('if the public key is missing', () => {
    expect(refusal(secretOf({ publicKey: '' }))).toBe(
      `${PLACE} does not contain the key authTokenPublicKey or is empty`,
    );
  });

  test.each([
    ['no end', jwt({ auth_scheme: 'userAuth' })],
    ['an end that is no number', jwt({ exp: '2030' })],
    ['an end that is no time', jwt({ exp: 1.5 })],
    ['no claims', jwt(null)],
    ['no token', 'token'],
  ])('if the token of the user has %s', (_, user) => {
    expect(refusal(secretOf({ user }))).toBe(`${PLACE} holds tokens without an expiry date`);
  });

  test.each([
    ['nothing', []],
    ['a Secret of another name', secretOf().replace('name: agent-auth-token', 'name: another')],
    ['a Secret of another namespace', secretOf().replace('openshift-config', 'default')],
    ['text that is no YAML', '{'],
  ])('if there is %s', (_, objects) => {
    expect(refusal(objects)).toBe('there is no Secret openshift-config/agent-auth-token');
  });
});
