// The token that opens the status port of live systems. It is data of the plan, so that equal plans still give equal images.
import { checkArgument } from '@coreiso/peers/arguments';
import { hex } from '@coreiso/peers/go';

/** A value that can be copied into a header and a line of a file as it is, and cannot be guessed. */
const TOKEN = /^[\w-]{22,128}$/;

/**
 * Makes a token of 128 bits for `planNodes`. `random` fills bytes with random values (default: `crypto.getRandomValues`).
 *
 * @example const plan = planNodes(config, { cluster, statusToken: newStatusToken() })
 */
export function newStatusToken(
  random: (bytes: ReturnType<Uint8Array['slice']>) => void = (bytes) => void crypto.getRandomValues(bytes),
): string {
  checkArgument('random', random, 'function');
  const bytes = new Uint8Array(16);
  random(bytes);
  return hex(bytes);
}

export function checkStatusToken(token: string | undefined): void {
  if (token === undefined || (typeof token === 'string' && TOKEN.test(token))) return;
  // The token itself is secret.
  throw new RangeError('statusToken must be 22 to 128 letters, digits, - or _; newStatusToken() makes one');
}
