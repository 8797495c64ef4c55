import { IsoError } from './errors.ts';

/** Says what was being done when `work` failed: a new error around its own, with the same code and offset. */
export async function withContext<T>(message: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw contextOf(message, error);
  }
}

/** `error` below `message`. Aborts and bugs come back as they are: a context would hide them. */
export function contextOf(message: string, error: unknown): unknown {
  if (!(error instanceof IsoError)) return error;
  const { code, offset } = error;
  return new IsoError(code, message, { cause: error, ...(offset === undefined ? {} : { offset }) });
}
