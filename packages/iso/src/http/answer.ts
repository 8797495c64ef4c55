// An answer before it is put into the words of a platform: the objects of the web take longer to make than most answers.
import { checkArgument } from '@coreiso/peers/arguments';
import type { ByteSource, OwnBytes } from '../bytes/source.ts';
import { toReadableStream } from '../bytes/stream.ts';

/** The members of a `Request` that are used; every `Request` has them. */
export interface PlainRequest {
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  readonly headers: { get(name: string): string | null };
  /** Aborted once the client has left. */
  readonly signal: AbortSignal;
}

/** The answer of a server. */
export interface Answer {
  readonly status: number;
  /** By name in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: ByteSource | string;
  /** Offset of the body in the file; absent if it is not one range. */
  readonly start?: number;
  /** Fails if the body does not match the headers. Call it after reading all of the body, before its last bytes are sent. */
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

/** A stream that reads nothing before its consumer does: anyone who knows the body leaves the stream alone. */
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
