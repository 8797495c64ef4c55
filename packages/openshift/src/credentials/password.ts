import { encodeBase64 as encodeCrypt, hash } from 'bcryptjs';

/** Without characters that look alike: `l`, `O`, `0` and `1`. */
const ALPHABET = 'abcdefghijkmnopqrstuvwxyzABCDEFGHIJKLMNPQRSTUVWXYZ23456789';
const GROUPS = 4;
const GROUP_LENGTH = 5;
const COST = 10;
const SALT_BYTES = 16;

/** Four groups of five characters. */
export function makePassword(): string {
  return Array.from({ length: GROUPS }, () => Array.from({ length: GROUP_LENGTH }, randomCharacter).join('')).join('-');
}

/** bcrypt, `$2a$10$…`, as Go writes it. */
export async function hashPassword(password: string): Promise<string> {
  const salt = encodeCrypt([...crypto.getRandomValues(new Uint8Array(SALT_BYTES))], SALT_BYTES);
  return await hash(password, `$2a$${COST}$${salt}`);
}

/** Drops bytes beyond the last full multiple of the alphabet's length: they would favor its first characters. */
function randomCharacter(): string {
  const end = 256 - (256 % ALPHABET.length);
  for (;;) {
    const [byte = end] = crypto.getRandomValues(new Uint8Array(1));
    if (byte < end) return ALPHABET.charAt(byte % ALPHABET.length);
  }
}
