// The messages about signatures of gpg, which coreos-installer runs.
import type { Verdict } from '../../frame/signatures/verify.ts';

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export function gpgWords(verdicts: readonly Verdict[]): string {
  return verdicts.flatMap(wordsFor).join('\n');
}

function wordsFor({ outcome, created, algorithm, key, signer }: Verdict): string[] {
  const head = [`gpg: Signature made ${dateText(created)}`, `gpg:                using ${algorithm} key ${key}`];
  if (outcome === 'unknown' || signer === undefined) return [...head, "gpg: Can't check signature: No public key"];
  const trust = signer.isExpired ? 'expired' : 'ultimate';
  if (outcome === 'bad') return [...head, `gpg: BAD signature from "${signer.name}" [${trust}]`];
  const good = [...head, `gpg: Good signature from "${signer.name}" [${trust}]`];
  if (!signer.isExpired) return good;
  const groups = signer.fingerprint.match(/.{4}/g) ?? [];
  const fingerprint = `${groups.slice(0, 5).join(' ')}  ${groups.slice(5).join(' ')}`;
  return [...good, 'gpg: Note: This key has expired!', `Primary key fingerprint: ${fingerprint}`];
}

/** Formats a date as in the C locale, in UTC. */
function dateText(date: Date): string {
  const time = date.toISOString().slice(11, 19);
  const day = String(date.getUTCDate()).padStart(2);
  return `${DAYS[date.getUTCDay()]} ${MONTHS[date.getUTCMonth()]} ${day} ${time} ${date.getUTCFullYear()} UTC`;
}
