// An answer before it is put into the words of a platform: the objects of the web take longer to make than most answers.
import { checkArgument } from '../arguments.ts';
import type { ByteSource, OwnBytes } from '../bytes/source.ts';
import { toReadableStream } from '../bytes/stream.ts';

/** The part of a `Request` that is used: every `Request` is one. */
export interface PlainRequest {
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  readonly headers: { get(name: string): string | null };
  /** Aborted where nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** What a server sends. */
export interface Answer {
  readonly status: number;
  /** By name in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: ByteSource | string;
}

const bodies = new WeakMap<Response, ByteSource>();

/** What a response of `responseOf` sends: for servers that can do better than to pull it through a stream. */
export function bodyBehind(response: Response): ByteSource | undefined {
  return bodies.get(response);
}

/**
 * An answer for platforms that take a `Response`.
 *
 * @example
 * ```ts
 * const handler = async (request: Request) => responseOf(await site.answer(request), request.signal);
 * ```
 */
export function responseOf(answer: Answer, signal: AbortSignal): Response {
  checkArgument('answer', answer, 'object');
  checkArgument('signal', signal, 'signal');
  const { status, headers, body } = answer;
  if (body === undefined || typeof body === 'string') return new Response(body ?? null, { status, headers });
  const response = new Response(streamOnDemand(body, signal), { status, headers });
  bodies.set(response, body);
  return response;
}

/** A stream that reads nothing before its consumer does: whoever knows the body leaves the stream alone. */
function streamOnDemand(body: ByteSource, signal: AbortSignal): ReadableStream<OwnBytes> {
  let reader: ReadableStreamDefaultReader<OwnBytes> | undefined;
  return new ReadableStream(
    {
      async pull(controller) {
        reader ??= toReadableStream(body, { signal }).getReader();
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel(reason) {
        await reader?.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
