// State files of commands, answers of stores, and texts without their secrets.
import type { S3Client } from '@aws-sdk/client-s3';
import { readAgentState } from '@coreiso/openshift';
import { listFleet, pruneFleet, s3Source } from '@coreiso/openshift/s3';
import { redactText } from '../../../packages/ignition/src/inspect/redact.ts';
import { allowed, assertHolds, jsonOf, type Target, textOf } from '../target.ts';

const STEPS = { base: 2_000_000, perByte: 4_000 };
const MOST_REQUESTS = 200;
const MOST_ENTRIES = 50;

/**
 * A client that returns one scripted answer after the other. Members have the types that the real client makes from the
 * store's text; the real one is a hundred times slower.
 */
function client(answers: readonly unknown[]): S3Client {
  let asked = 0;
  const send = async () => {
    assertHolds(asked < MOST_REQUESTS, `one input takes at most ${MOST_REQUESTS} requests`);
    const answer = fieldsOf(answers[asked++ % Math.max(answers.length, 1)]);
    if (typeof answer['error'] !== 'string') return typed(answer);
    const $metadata = { httpStatusCode: numberOf(answer['status']) };
    throw Object.assign(new Error(answer['error']), { name: answer['error'], $metadata, $fault: 'server' });
  };
  return { send } as unknown as S3Client;
}

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const textIn = (value: unknown) => (typeof value === 'string' ? value : undefined);
const numberOf = (value: unknown) => (typeof value === 'number' ? value : undefined);
const listOf = (value: unknown) =>
  Array.isArray(value)
    ? value.map(fieldsOf).map(({ Key, Size, UploadId }) => ({
        Key: textIn(Key),
        Size: numberOf(Size),
        UploadId: textIn(UploadId),
      }))
    : undefined;

function typed(answer: Fields): object {
  const { Body, Metadata, Contents, Uploads, IsTruncated } = answer;
  const metadata = Object.entries(fieldsOf(Metadata)).map(([name, value]) => [name, String(value)]);
  return {
    ETag: textIn(answer['ETag']),
    ContentLength: numberOf(answer['ContentLength']),
    NextContinuationToken: textIn(answer['NextContinuationToken']),
    NextKeyMarker: textIn(answer['NextKeyMarker']),
    NextUploadIdMarker: textIn(answer['NextUploadIdMarker']),
    IsTruncated: typeof IsTruncated === 'boolean' ? IsTruncated : undefined,
    Metadata: Object.fromEntries(metadata),
    Contents: listOf(Contents),
    Uploads: listOf(Uploads),
    Body: { transformToByteArray: async () => new TextEncoder().encode(String(Body ?? '')) },
  };
}

async function few(entries: AsyncIterable<unknown>): Promise<void> {
  let count = 0;
  for await (const _ of entries) if (++count > MOST_ENTRIES) break;
}

export const targets: readonly Target[] = [
  {
    name: 'openshift/state',
    shape: 'tree',
    steps: STEPS,
    seeds: () => [
      JSON.stringify({
        version: 1,
        inputs: { 'install-config.yaml': 'ab'.repeat(32) },
        outputs: {},
        hosts: [
          { name: 'a', role: 'master', macs: ['52:54:00:00:00:01'], rootDeviceHints: { deviceName: '/dev/sda' } },
        ],
        rendezvousIP: '192.0.2.1',
      }),
      '{"version":2,"needs":"coreiso 9"}',
    ],
    run: (input) => {
      const outcome = readAgentState(textOf(input));
      if (!outcome.ok) return assertHolds(outcome.diagnostics.length > 0, 'a refusal says why');
      assertHolds(outcome.value.version === 1, 'a state of another version is refused');
    },
  },
  {
    name: 'openshift/store',
    shape: 'tree',
    steps: STEPS,
    seeds: () => [
      JSON.stringify([
        { ContentLength: 5, ETag: '"a"' },
        { Body: 'hello', ContentLength: 5, ETag: '"a"' },
      ]),
      JSON.stringify([
        { Contents: [{ Key: 'p/a.iso', Size: 5 }], IsTruncated: true, NextContinuationToken: 't' },
        { ContentLength: 5, ETag: '"a"', Metadata: { 'coreiso-digest': 'ab'.repeat(32) } },
        { Uploads: [{ Key: 'p/b', UploadId: 'u' }], IsTruncated: true, NextKeyMarker: 'k', NextUploadIdMarker: 'u' },
      ]),
      JSON.stringify([
        { error: 'NoSuchKey', status: 404 },
        { error: 'SlowDown', status: 503 },
      ]),
    ],
    run: async (input) => {
      const answers = jsonOf(input);
      if (!Array.isArray(answers)) return;
      const place = { bucket: 'images', prefix: 'p/', retries: 0, timeout: 1000 };
      const object = { bucket: 'images', key: 'a.iso' };
      const source = await allowed(() => s3Source(client(answers), object, { retries: 0 }));
      if (source !== undefined) {
        const wanted = Math.min(source.size, 16);
        const bytes = await allowed(() => source.read(0, wanted));
        assertHolds(bytes === undefined || bytes.length === wanted, 'a read gives as many bytes as it was asked for');
      }
      await allowed(() => few(listFleet(client(answers), place)));
      await allowed(() => few(pruneFleet(client(answers), place)));
    },
  },
  {
    name: 'openshift/redact',
    shape: 'text',
    longest: 1500,
    steps: STEPS,
    seeds: () => [
      'password: hunter2\ntoken=abc\nauthorization: Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln\n',
      '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n',
      'https://user:secret@host/path?X-Amz-Signature=abc',
    ],
    run: (input) => {
      const text = textOf(input);
      if (text.includes('hunter2')) return;
      assertHolds(
        !redactText(`password: hunter2\n${text}`).includes('hunter2'),
        'a password on a line of its own is hidden',
      );
    },
  },
];
