// IP addresses as Go's `net.ParseIP` reads and prints them: no zone, no prefix length, no leading zeros in IPv4.

/** The canonical text (RFC 5952; an IPv4-mapped address as IPv4), or undefined if it is no address. */
export function canonicalAddress(text: string): string | undefined {
  if (!text.includes(':')) return parseIpv4(text) === undefined ? undefined : text;
  const groups = parseIpv6(text);
  if (groups === undefined) return undefined;
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join('.');
  }
  return formatIpv6(groups);
}

function parseIpv4(text: string): number[] | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9][0-9]{0,2})$/.test(part) && Number(part) < 256))
    return undefined;
  return parts.map(Number);
}

function parseIpv6(text: string): number[] | undefined {
  const [before = '', after, ...more] = text.split('::');
  if (more.length > 0) return undefined;
  const head = readGroups(before, after === undefined);
  if (head === undefined || after === undefined) return head?.length === 8 ? head : undefined;
  const tail = readGroups(after, true);
  // A `::` stands for at least one group.
  const missing = 8 - head.length - (tail?.length ?? 8);
  return tail === undefined || missing < 1 ? undefined : [...head, ...Array<number>(missing).fill(0), ...tail];
}

/** The end of an address may be written as IPv4. */
function readGroups(text: string, isEnd: boolean): number[] | undefined {
  const parts = text === '' ? [] : text.split(':');
  const groups: number[] = [];
  for (const [position, part] of parts.entries()) {
    if (/^[0-9a-f]{1,4}$/i.test(part)) {
      groups.push(Number.parseInt(part, 16));
      continue;
    }
    const octets = isEnd && position === parts.length - 1 ? parseIpv4(part) : undefined;
    if (octets === undefined) return undefined;
    const [a = 0, b = 0, c = 0, d = 0] = octets;
    groups.push((a << 8) | b, (c << 8) | d);
  }
  return groups;
}

function formatIpv6(groups: readonly number[]): string {
  const { start, length } = longestZeroRun(groups);
  const text = (part: readonly number[]): string => part.map((group) => group.toString(16)).join(':');
  if (length < 2) return text(groups);
  return `${text(groups.slice(0, start))}::${text(groups.slice(start + length))}`;
}

function longestZeroRun(groups: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  let run = 0;
  for (const [position, group] of groups.entries()) {
    run = group === 0 ? run + 1 : 0;
    if (run > best.length) best = { start: position - run + 1, length: run };
  }
  return best;
}
