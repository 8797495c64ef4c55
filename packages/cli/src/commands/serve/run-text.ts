import type { Transfer } from '@coreiso/iso/http';

const OUTCOMES: Readonly<Record<Transfer['outcome'], string>> = {
  complete: '',
  left: ', then the client left',
  broken: ', then it broke off',
};

/** Formats a line of the access log, without its time. It omits the server's address, which may be a secret. */
export function runText({
  client,
  file,
  method,
  status,
  start,
  end,
  size,
  requests,
  share,
  outcome,
}: Transfer): string {
  const who = client.replace(/^::ffff:/, '');
  if (file === '') return `${who} ${method} ${status}: no file`;
  if (end === start) return `${who} ${file}: ${method} ${status}${OUTCOMES[outcome]}`;
  const count = requests === 1 ? '' : ` in ${requests} requests`;
  const bytes = `bytes ${start}-${end - 1} of ${size}${count}`;
  return `${who} ${file}: ${bytes}, ${Math.floor(share * 100)} % read so far${OUTCOMES[outcome]}`;
}

/** Formats the time at the beginning of such a line. */
export function timeText({ at }: Transfer): string {
  return `${new Date(at).toISOString().slice(11, 19)} `;
}
