import type { S3Client } from '@aws-sdk/client-s3';

interface StoredBytes {
  readonly bytes: Uint8Array;
  readonly metadata: Readonly<Record<string, string>>;
}

interface BegunUpload {
  readonly key: string;
  readonly id: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly parts: Map<number, Uint8Array>;
}

interface Input {
  readonly Key?: string;
  readonly Prefix?: string;
  readonly UploadId?: string;
  readonly PartNumber?: number;
  readonly Body?: Uint8Array | string;
  readonly Range?: string;
  readonly CopySource?: string;
  readonly CopySourceRange?: string;
  readonly Metadata?: Record<string, string>;
}

/** One bucket in memory, behind the parts of the client that are used. */
export class FakeStore {
  readonly objects = new Map<string, StoredBytes>();
  uploads: BegunUpload[] = [];
  /** The requests, in order. */
  readonly log: string[] = [];
  /** Called before each command; the client throws its errors. */
  before: (command: string, input: Input) => void = () => undefined;
  #count = 0;

  get client(): S3Client {
    return { send: (command: object) => this.#send(command) } as unknown as S3Client;
  }

  put(key: string, text: string): void {
    this.objects.set(key, { bytes: Buffer.from(text), metadata: {} });
  }

  /** Begins an upload as another program would. */
  begin(key: string): string {
    const id = `other/${++this.#count}`;
    this.uploads.push({ key, id, metadata: {}, parts: new Map() });
    return id;
  }

  get unfinished(): string[] {
    return this.uploads.map(({ key }) => key);
  }

  async #send(command: object): Promise<unknown> {
    const name = command.constructor.name.replace(/Command$/, '');
    const { input } = command as { input: Input };
    this.before(name, input);
    this.log.push(`${name} ${input.Key ?? input.Prefix ?? ''}`);
    return this.#answer(name, input);
  }

  #answer(name: string, input: Input): unknown {
    const { Key: key = '', Prefix: prefix = '', UploadId: id } = input;
    const object = this.objects.get(key);
    const upload = this.uploads.find((each) => each.key === key && each.id === id);
    switch (name) {
      case 'HeadObject':
        if (object === undefined) throw refusal(404, 'NotFound');
        return { ContentLength: object.bytes.length, ETag: `"${tagOf(object)}"`, Metadata: object.metadata };
      case 'GetObject':
        if (object === undefined) throw refusal(404, 'NoSuchKey');
        return { Body: { transformToByteArray: async () => rangeOf(object.bytes, input.Range) } };
      case 'PutObject':
        this.objects.set(key, { bytes: Buffer.from(input.Body ?? ''), metadata: input.Metadata ?? {} });
        return {};
      case 'DeleteObject':
        this.objects.delete(key);
        return {};
      case 'ListObjectsV2': {
        const found = [...this.objects].filter(([each]) => each.startsWith(prefix));
        return { Contents: found.map(([Key, { bytes }]) => ({ Key, Size: bytes.length })) };
      }
      case 'ListMultipartUploads': {
        const found = this.uploads.filter((each) => each.key.startsWith(prefix));
        return { Uploads: found.map((each) => ({ Key: each.key, UploadId: each.id })) };
      }
      case 'CreateMultipartUpload': {
        // Some stores have slashes and other special characters in their ids.
        const UploadId = `2~${++this.#count}/+=`;
        this.uploads.push({ key, id: UploadId, metadata: input.Metadata ?? {}, parts: new Map() });
        return { UploadId };
      }
    }
    if (upload === undefined) throw refusal(404, 'NoSuchUpload');
    switch (name) {
      case 'UploadPart':
        upload.parts.set(input.PartNumber ?? 0, Buffer.from(input.Body ?? ''));
        return { ETag: '"part"' };
      case 'UploadPartCopy': {
        const from = decodeURIComponent(input.CopySource ?? '').replace(/^[^/]*\//, '');
        const source = this.objects.get(from);
        if (source === undefined) throw refusal(404, 'NoSuchKey');
        upload.parts.set(input.PartNumber ?? 0, rangeOf(source.bytes, input.CopySourceRange));
        return { CopyPartResult: { ETag: '"part"' } };
      }
      case 'CompleteMultipartUpload': {
        const bytes = Buffer.concat([...upload.parts].sort(([a], [b]) => a - b).map(([, part]) => part));
        this.objects.set(key, { bytes, metadata: upload.metadata });
        this.uploads = this.uploads.filter((each) => each !== upload);
        return {};
      }
      case 'AbortMultipartUpload':
        this.uploads = this.uploads.filter((each) => each !== upload);
        return {};
      default:
        throw new TypeError(`${name} is not known here`);
    }
  }
}

/** The client's error for an answer. */
function refusal(status: number, code: string): Error {
  return Object.assign(new Error(code), { Code: code, $metadata: { httpStatusCode: status } });
}

function rangeOf(bytes: Uint8Array, range: string | undefined): Uint8Array {
  const [, start = '0', end = String(bytes.length - 1)] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
  return bytes.slice(Number(start), Number(end) + 1);
}

function tagOf({ bytes }: StoredBytes): string {
  return `${bytes.length}-${bytes.subarray(0, 4096).reduce((sum, byte) => (sum * 31 + byte) % 2 ** 31, 7)}`;
}
