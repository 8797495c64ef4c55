import { withContext } from './errors.ts';

/** Runs `work`; what it fails with becomes the cause of an error that says what was being done. */
export async function inContext<T>(message: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw withContext(error, message);
  }
}
