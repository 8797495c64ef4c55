// Requests to a store, each in one place: the commands and the results of their answers.

import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsOutput,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { OpenshiftError } from '../errors.ts';
import { type AttemptOptions, attempt, isBreak, type Request, refusalOf } from './attempts.ts';

/** An object as the store describes it. */
export interface ObjectStatus {
  readonly size: number;
  readonly etag: string;
  /** The digest of the fleet's file; `undefined` for an object of another program. */
  readonly digest: string | undefined;
  /** The entity tag of the base that it was made from. */
  readonly base: string | undefined;
}

/** An upload that was begun but neither completed nor aborted. */
export interface Upload {
  readonly key: string;
  readonly id: string;
}

/** Our own uploads of killed runs, by the keys they were for. */
export type UnfinishedUploads = ReadonlyMap<string, readonly Upload[]>;

/** Metadata of a fleet's object. */
export interface Labels {
  readonly digest: string;
  readonly base?: string;
}

const DIGEST = 'coreiso-digest';
const BASE = 'coreiso-base';

/** Refuses clients that cannot send commands. */
export function checkClient(client: S3Client): void {
  if (typeof client?.send !== 'function') throw new TypeError('client must be an S3Client of @aws-sdk/client-s3');
}

/** Refuses an invalid client, and a place without a bucket. */
export function checkPlace(client: S3Client, place: { readonly bucket: string }): void {
  checkClient(client);
  if (typeof place?.bucket !== 'string' || place.bucket === '') throw new TypeError('bucket must be the name of one');
}

/** One bucket; requests are retried. */
export class Bucket {
  readonly name: string;
  readonly #client: S3Client;
  readonly #options: AttemptOptions;

  constructor(client: S3Client, name: string, options: AttemptOptions = {}) {
    this.#client = client;
    this.name = name;
    this.#options = options;
  }

  /** `undefined` if the object does not exist. */
  async head(key: string, signal?: AbortSignal): Promise<ObjectStatus | undefined> {
    try {
      const {
        ContentLength = -1,
        ETag = '',
        Metadata = {},
      } = await this.#ask({ what: `look at ${this.address(key)}`, file: key, signal }, (abortSignal) =>
        this.#client.send(new HeadObjectCommand(this.#at(key)), { abortSignal }),
      );
      return { size: ContentLength, etag: unquoted(ETag), digest: Metadata[DIGEST], base: Metadata[BASE] };
    } catch (error) {
      // The answer to HEAD has no body with an error code.
      if (refusalOf(error)?.status === 404) return undefined;
      throw error;
    }
  }

  /** A range of an object; `etag` names the only version to accept. */
  async read(
    key: string,
    { offset, length, etag }: { readonly offset: number; readonly length: number; readonly etag?: string },
    signal?: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer>> {
    if (length === 0) return new Uint8Array(0);
    const request = { what: `read ${this.address(key)}`, file: key, bytes: length, signal };
    return await this.#ask(request, async (abortSignal) => {
      const range = {
        Range: `bytes=${offset}-${offset + length - 1}`,
        ...(etag === undefined ? {} : { IfMatch: `"${etag}"` }),
      };
      const { Body } = await this.#client.send(new GetObjectCommand({ ...this.#at(key), ...range }), { abortSignal });
      const bytes = new Uint8Array((await Body?.transformToByteArray()) ?? []);
      if (bytes.length !== length) throw new Error(`${bytes.length} bytes came instead of ${length}`);
      return bytes;
    });
  }

  async put(key: string, bytes: Uint8Array, labels: Labels, signal?: AbortSignal): Promise<void> {
    const request = { what: `write ${this.address(key)}`, file: key, bytes: bytes.length, signal };
    const input = { ...this.#at(key), Body: bytes, Metadata: metadataOf(labels) };
    await this.#ask(request, (abortSignal) => this.#client.send(new PutObjectCommand(input), { abortSignal }));
  }

  async begin(key: string, labels: Labels, signal?: AbortSignal): Promise<Upload> {
    const request = { what: `begin ${this.address(key)}`, file: key, signal };
    const input = { ...this.#at(key), Metadata: metadataOf(labels) };
    // If the answer is lost, an upload without parts may stay. It takes no space, and looks like those of other programs.
    const { UploadId: id } = await this.#ask(request, (abortSignal) =>
      this.#client.send(new CreateMultipartUploadCommand(input), { abortSignal }),
    );
    if (id === undefined)
      throw new OpenshiftError('OPENSHIFT_STORE_FAILED', `${this.address(key)}: the upload has no name`);
    return { key, id };
  }

  async sendPart(upload: Upload, number: number, bytes: Uint8Array, signal?: AbortSignal): Promise<CompletedPart> {
    const { key } = upload;
    const request = { what: `send part ${number} of ${this.address(key)}`, file: key, bytes: bytes.length, signal };
    const send = (Body: Uint8Array) => (abortSignal: AbortSignal) =>
      this.#client.send(new UploadPartCommand({ ...this.#of(upload), PartNumber: number, Body }), { abortSignal });
    try {
      const { ETag } = await this.#ask(request, send(bytes));
      return { PartNumber: number, ETag };
    } catch (error) {
      throw isBreak(error) ? await this.#reasonOf(error, request, send(bytes.slice(0, 1))) : error;
    }
  }

  /**
   * Ceph refuses while the client still sends, then closes the connection: the answer is lost unless the body was sent by then, as
   * a single byte is. Nothing of a failed upload stays.
   */
  async #reasonOf(
    error: unknown,
    request: Request,
    sendLittle: (signal: AbortSignal) => Promise<unknown>,
  ): Promise<unknown> {
    return attempt(request, { ...this.#options, retries: 0 }, sendLittle).then(
      () => error,
      (refused) => (refusalOf(refused) === undefined ? error : refused),
    );
  }

  /** Makes the store copy a range of another object with this entity tag. */
  async copyPart(
    upload: Upload,
    number: number,
    from: { readonly bucket: string; readonly key: string; readonly etag: string },
    { offset, length }: { readonly offset: number; readonly length: number },
    signal?: AbortSignal,
  ): Promise<CompletedPart> {
    const { key } = upload;
    const request = { what: `copy part ${number} of ${this.address(key)}`, file: key, bytes: length, signal };
    const input = {
      ...this.#of(upload),
      PartNumber: number,
      CopySource: `${from.bucket}/${from.key.split('/').map(encodeURIComponent).join('/')}`,
      CopySourceIfMatch: `"${from.etag}"`,
      CopySourceRange: `bytes=${offset}-${offset + length - 1}`,
    };
    try {
      const { CopyPartResult: { ETag } = {} } = await this.#ask(request, (abortSignal) =>
        this.#client.send(new UploadPartCopyCommand(input), { abortSignal }),
      );
      return { PartNumber: number, ETag };
    } catch (error) {
      throw asBaseFailure(error, `s3://${from.bucket}/${from.key}`, key);
    }
  }

  /** Makes the parts one object. A store that reports the upload as gone may have completed it before: check the object then. */
  async complete(upload: Upload, parts: readonly CompletedPart[], signal?: AbortSignal): Promise<void> {
    const { key } = upload;
    const input = { ...this.#of(upload), MultipartUpload: { Parts: [...parts] } };
    try {
      await this.#ask({ what: `finish ${this.address(key)}`, file: key, bytes: COMPLETION, signal }, (abortSignal) =>
        this.#client.send(new CompleteMultipartUploadCommand(input), { abortSignal }),
      );
    } catch (error) {
      if (refusalOf(error)?.name !== 'NoSuchUpload') throw error;
    }
  }

  async giveUp(upload: Upload, signal?: AbortSignal): Promise<void> {
    const request = { what: `give up ${this.address(upload.key)}`, file: upload.key, signal };
    try {
      await this.#ask(request, (abortSignal) =>
        this.#client.send(new AbortMultipartUploadCommand(this.#of(upload)), { abortSignal }),
      );
    } catch (error) {
      if (refusalOf(error)?.status !== 404) throw error;
    }
  }

  async remove(key: string, signal?: AbortSignal): Promise<void> {
    await this.#ask({ what: `remove ${this.address(key)}`, file: key, signal }, (abortSignal) =>
      this.#client.send(new DeleteObjectCommand(this.#at(key)), { abortSignal }),
    );
  }

  async *uploads(prefix: string, signal?: AbortSignal): AsyncGenerator<Upload, void> {
    let answer: ListMultipartUploadsOutput = { IsTruncated: true };
    while (answer.IsTruncated === true) {
      const { NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = answer;
      const input = { Bucket: this.name, Prefix: prefix, KeyMarker, UploadIdMarker };
      answer = await this.#ask({ what: `list the uploads of ${this.address(prefix)}`, signal }, (abortSignal) =>
        this.#client.send(new ListMultipartUploadsCommand(input), { abortSignal }),
      );
      for (const { Key, UploadId } of answer.Uploads ?? []) {
        // Some stores ignore the prefix and list everything.
        if (Key?.startsWith(prefix) && UploadId !== undefined) yield { key: Key, id: UploadId };
      }
      if (answer.NextKeyMarker === undefined || answer.NextKeyMarker === '') return;
    }
  }

  async *objects(prefix: string, signal?: AbortSignal): AsyncGenerator<{ key: string; size: number }, void> {
    let token: string | undefined;
    do {
      const input = { Bucket: this.name, Prefix: prefix, ContinuationToken: token };
      const answer = await this.#ask({ what: `list ${this.address(prefix)}`, signal }, (abortSignal) =>
        this.#client.send(new ListObjectsV2Command(input), { abortSignal }),
      );
      for (const { Key, Size } of answer.Contents ?? []) if (Key !== undefined) yield { key: Key, size: Size ?? 0 };
      token = answer.IsTruncated === true ? answer.NextContinuationToken : undefined;
    } while (token !== undefined);
  }

  address(key: string): string {
    return `s3://${this.name}/${key}`;
  }

  #ask<T>(request: Request, send: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return attempt(request, this.#options, send);
  }

  #at(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.name, Key: key };
  }

  #of({ key, id }: Upload): { Bucket: string; Key: string; UploadId: string } {
    return { ...this.#at(key), UploadId: id };
  }
}

/** Stores assemble large objects during the request that completes them: the timeout is that of a transfer of this many bytes. */
const COMPLETION = 512 * 1024 * 1024;

function metadataOf({ digest, base }: Labels): Record<string, string> {
  return { [DIGEST]: digest, ...(base === undefined ? {} : { [BASE]: base }) };
}

function unquoted(etag: string): string {
  return etag.replace(/^"|"$/g, '');
}

/** The error for a refused copy: the base is another one, or gone. */
export function asBaseFailure(error: unknown, base: string, file: string): unknown {
  const refusal = refusalOf(error);
  if (refusal === undefined) return error;
  if ([412, 416].includes(refusal.status) || refusal.name === 'InvalidRange') {
    return new OpenshiftError('OPENSHIFT_BASE_CHANGED', `${base} was changed`, { cause: refusal, file });
  }
  if (refusal.name === 'NoSuchKey')
    return new OpenshiftError('OPENSHIFT_NO_BASE', `${base} is gone`, { cause: refusal, file });
  return error;
}
