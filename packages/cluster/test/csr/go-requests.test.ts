// Requests that were changed on purpose and by chance, and the contents that Go 1.26 reads in them, recorded by scripts/peers/requests.
// Kubernetes signs what Go reads: where we read something else, we must refuse.

import { pemText } from '@coreiso/peers/der';
import { hex } from '@coreiso/peers/go';
import { describe, expect, test } from 'vitest';
import { readRequest } from '../../src/csr/certificate-request.ts';
import recorded from '../goldens/requests.json' with { type: 'json' };

/** The content that Go read, or its error. */
type Answer =
  | string
  | {
      readonly cn: string;
      readonly o: readonly string[];
      readonly parts: number;
      readonly dns: readonly string[];
      readonly ip: readonly string[];
      readonly other: number;
      readonly extensions: readonly string[];
      readonly key: string;
    };

const BASES = Object.fromEntries(
  Object.entries(recorded.bases).map(([name, encoded]) => [name, Uint8Array.from(Buffer.from(encoded, 'base64'))]),
);

const read = (text: string) => readRequest({ spec: { request: Buffer.from(text).toString('base64') } });
const block = (der: Uint8Array) => pemText('CERTIFICATE REQUEST', der);

/** Our reading in Go's form; undefined if we refuse. */
async function ours(text: string): Promise<Exclude<Answer, string> | undefined> {
  const { content } = read(text);
  if (content === undefined) return undefined;
  const { commonNames, organizations, otherParts, dnsNames, addresses, otherNames, otherExtensions } = content;
  const hasNames = dnsNames.length + addresses.length + otherNames > 0;
  const digest = await crypto.subtle.digest('SHA-256', content.publicKey.slice());
  return {
    // Of several names Go takes the last; our judge accepts none.
    cn: commonNames.at(-1) ?? '',
    o: organizations,
    parts: commonNames.length + organizations.length + otherParts,
    dns: dnsNames,
    ip: addresses,
    other: otherNames,
    extensions: [...(hasNames ? ['2.5.29.17'] : []), ...otherExtensions],
    key: hex(new Uint8Array(digest).subarray(0, 8)),
  };
}

/** Whether a key is a point of its curve is checked by the signer, which then signs nothing. */
const isAboutKey = (answer: Answer) =>
  typeof answer === 'string' && /^(?:P256 |invalid P256 |ecdsa: )|ECDSA parameters|elliptic curve$/.test(answer);

async function differences(rows: readonly (readonly [text: string, answer: Answer])[]): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const [text, answer] of rows) {
    const mine = await ours(text);
    if (mine === undefined || isAboutKey(answer)) continue;
    // Go drops names of unknown kinds, and attributes beside extensions; we count them.
    const counted =
      typeof answer === 'string'
        ? answer
        : {
            ...answer,
            other: Math.max(answer.other, mine.other),
            extensions: answer.extensions.length < mine.extensions.length ? mine.extensions : answer.extensions,
          };
    if (JSON.stringify(sorted(mine)) !== JSON.stringify(sorted(counted))) found.push({ text, mine, answer });
  }
  return found;
}

const sorted = (value: object | string) =>
  typeof value === 'string' ? value : Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));

function expanded(text: string): string {
  let whole = text;
  for (const [name, der] of Object.entries(BASES)) {
    const lines = block(der).trimEnd().split('\n');
    whole = whole
      .replaceAll(`<${name}>`, lines.join('\n'))
      .replaceAll(`<${name} lines>`, lines.slice(1, -1).join('\n'))
      .replaceAll(`<${name} unbroken>`, lines.slice(1, -1).join(''));
  }
  return whole;
}

function edited([base, at, kind, value]: readonly [string, number, string, number]): string {
  const der = [...(BASES[base] as Uint8Array)];
  der.splice(at, kind === 'put' ? 0 : 1, ...(kind === 'cut' ? [] : [value]));
  return block(Uint8Array.from(der));
}

const texts = (recorded.texts as [string, Answer][]).map(([text, answer]) => [expanded(text), answer] as const);
const edits = (recorded.edits as [string, number, string, number, Answer][]).map(
  ([base, at, kind, value, answer]) => [edited([base, at, kind, value]), answer] as const,
);
const shapes = (recorded.shapes as [string, Answer][]).map(
  ([encoded, answer]) => [block(Uint8Array.from(Buffer.from(encoded, 'base64'))), answer] as const,
);

describe('a request that Kubernetes may read differently', () => {
  test('is refused with any text around its block', async () => expect(await differences(texts)).toEqual([]));
  test('is refused with any byte changed', async () => expect(await differences(edits)).toEqual([]));
  test('is refused in any shape', async () => expect(await differences(shapes)).toEqual([]));

  test('has a reason for its refusal', () => {
    const silent = [...texts, ...edits, ...shapes].filter(([text]) => {
      const { content, problem } = read(text);
      return content === undefined ? !problem : problem !== undefined;
    });
    expect(silent).toEqual([]);
  });
});

test("reads a kubelet's request as Go does, with its last newline and without", async () => {
  for (const name of ['w1', 'm0', 'serving']) {
    const text = block(BASES[name] as Uint8Array);
    const row = texts.find(([one]) => one === text)?.[1];
    const answer = await ours(text);
    expect(answer?.cn).toBe(`system:node:${name === 'm0' ? 'master-0' : 'w1'}`);
    expect(await ours(text.trimEnd())).toEqual(answer);
    if (name === 'w1') expect(answer).toEqual(row);
  }
});

test.each([
  ['x<w1>\n<m0>\n', 'there is text before its PEM block'],
  [' <w1>\n<m0>\n', 'there is text before its PEM block'],
  ['\n<w1>\n', 'there is text before its PEM block'],
  ['<w1>\n<m0>\n', 'there is text after its PEM block'],
  ['<w1>\n\n', 'there is text after its PEM block'],
  ['<w1>\r\n', 'there is text after its PEM block'],
  [
    '-----BEGIN CERTIFICATE REQUEST-----\nNote: x\n\n<m0 lines>\n-----END CERTIFICATE REQUEST-----\n',
    'it is not a PEM',
  ],
  [
    '-----BEGIN CERTIFICATE REQUEST-----\n<w1 unbroken>\n-----END CERTIFICATE REQUEST-----\n',
    'its PEM block differs from those that kubelets write',
  ],
  ['-----BEGIN CERTIFICATE-----\n<w1 lines>\n-----END CERTIFICATE-----\n', 'its PEM block is not labelled'],
])('refuses %j with a reason', (text, problem) => {
  expect(read(expanded(text)).problem).toContain(problem);
});
