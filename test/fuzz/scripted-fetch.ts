// Answers of a server, described by an input: hostile headers, statuses and bodies, without a network.

/** One answer in an input; any member may be missing or of another type. */
export interface ScriptedAnswer {
  readonly status?: unknown;
  readonly headers?: unknown;
  readonly body?: unknown;
}

/** More requests than this for one input count as endless work. */
const MOST_REQUESTS = 64;

/** A `fetch` that gives one answer after the other, and repeats the last one. */
export function scriptedFetch(script: unknown, chosen?: (url: string) => ScriptedAnswer | undefined) {
  const answers: readonly unknown[] = Array.isArray(script) ? script : [script];
  let asked = 0;
  return async (url: string, init?: RequestInit): Promise<Response> => {
    init?.signal?.throwIfAborted();
    if (asked >= MOST_REQUESTS) throw new Error(`more than ${MOST_REQUESTS} requests`);
    const answer = chosen?.(url) ?? answers[Math.min(asked, answers.length - 1)];
    asked++;
    return responseOf((answer ?? {}) as ScriptedAnswer);
  };
}

function responseOf({ status, headers, body }: ScriptedAnswer): Response {
  const isStatus = typeof status === 'number' && Number.isInteger(status) && status >= 200 && status <= 599;
  const known = new Headers();
  for (const [name, value] of Object.entries(headers ?? {})) {
    // Answers that `fetch` itself would refuse are skipped.
    try {
      known.append(name, String(value));
    } catch {}
  }
  const code = isStatus ? status : 200;
  const isEmpty = code === 204 || code === 205 || code === 304;
  const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
  return new Response(isEmpty ? null : text, { status: code, headers: known });
}
