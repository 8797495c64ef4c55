// Answers as plain data: making the web platform's objects takes longer than making most answers.
import { checkArgument } from '@coreiso/peers/arguments';
import type { ByteSource, OwnBytes } from '../bytes/source.ts';
import { toReadableStream } from '../bytes/stream.ts';

/** The used members of a `Request`. */
export interface PlainRequest {
  readonly method: string;
  /** The absolute URL. */
  readonly url: string;
  readonly headers: { get(name: string): string | null };
  /** Aborted once the client has left. */
  readonly signal: AbortSignal;
}

/** The answer of a server. */
export interface Answer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: ByteSource | string;
  /** Offset of the body in the file; absent unless the body is one range. */
  readonly start?: number;
  /**
   * Fails if the body does not match the headers. Call it after reading the whole body, before sending its last bytes.
   */
  readonly verify?: () => Promise<void>;
}

/** A body that is read from a source. */
export interface SourceBody {
  readonly source: ByteSource;
  readonly verify: Answer['verify'];
}

const bodies = new WeakMap<Response, SourceBody>();

/** The answer behind a response of `responseOf`, for servers that can send it without a stream. */
export function bodyBehind(response: Response): SourceBody | undefined {
  return bodies.get(response);
}

/**
 * Converts an answer to a `Response`.
 *
 * @example
 * ```ts
 * const handler = async (request: Request) => responseOf(await fileServer.answer(request), request.signal);
 * ```
 */
export function responseOf(answer: Answer, signal: AbortSignal): Response {
  checkArgument('answer', answer, 'object');
  checkArgument('signal', signal, 'signal');
  const { status, headers, body, verify } = answer;
  if (body === undefined || typeof body === 'string') return new Response(body ?? null, { status, headers });
  const behind: SourceBody = { source: body, verify };
  const response = new Response(streamOnDemand(behind, signal), { status, headers });
  bodies.set(response, behind);
  return response;
}

/** A stream that reads only on demand: a server that uses `bodyBehind` never reads the stream. */
function streamOnDemand({ source, verify }: SourceBody, signal: AbortSignal): ReadableStream<OwnBytes> {
  let left = source.size;
  let reader: ReadableStreamDefaultReader<OwnBytes> | undefined;
  return new ReadableStream(
    {
      async pull(controller) {
        reader ??= toReadableStream(source, { signal }).getReader();
        const { done, value } = await reader.read();
        if (done) return controller.close();
        left -= value.length;
        if (left === 0) await verify?.();
        controller.enqueue(value);
      },
      async cancel(reason) {
        await reader?.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
