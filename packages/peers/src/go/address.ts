import { goQuote } from './quote.ts';

/**
 * The error of Go's `netip.ParseAddr` for a text that is not an IP address; undefined if it is one, with or without a zone.
 *
 * @example addressFault('10.0.0.256') // 'ParseAddr("10.0.0.256"): IPv4 field has value >255'
 */
export function addressFault(text: string): string | undefined {
  const [sign] = /[.:%]/.exec(text) ?? [];
  const fault =
    sign === '.'
      ? ipv4Fault(text)
      : sign === ':'
        ? ipv6Fault(text)
        : { message: sign === '%' ? 'missing IPv6 address' : 'unable to parse IP' };
  if (fault === undefined) return undefined;
  const at = fault.at === undefined || fault.at === '' ? '' : ` (at ${goQuote(fault.at)})`;
  return `ParseAddr(${goQuote(text)}): ${fault.message}${at}`;
}

interface Fault {
  readonly message: string;
  /** The rest of the text, if the message shows the place. */
  readonly at?: string;
}

function ipv4Fault(text: string): Fault | undefined {
  let value = 0;
  let digits = 0;
  let fields = 1;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (/[0-9]/.test(character)) {
      if (digits === 1 && value === 0) return { message: 'IPv4 field has octet with leading zero' };
      value = value * 10 + Number(character);
      digits++;
      if (value > 255) return { message: 'IPv4 field has value >255' };
    } else if (character !== '.') {
      return { message: 'unexpected character', at: text.slice(at) };
    } else if (digits === 0 || at === text.length - 1) {
      return { message: 'IPv4 field must have at least one digit', at: text.slice(at) };
    } else if (fields === 4) {
      return { message: 'IPv4 address too long' };
    } else {
      fields++;
      value = 0;
      digits = 0;
    }
  }
  return fields < 4 ? { message: 'IPv4 address too short' } : undefined;
}

const GROUPS = 8;

function ipv6Fault(text: string): Fault | undefined {
  const zone = text.indexOf('%');
  if (zone === text.length - 1) return { message: 'zone must be a non-empty string' };
  let rest = zone === -1 ? text : text.slice(0, zone);
  let hasEllipsis = rest.startsWith('::');
  if (hasEllipsis) rest = rest.slice(2);
  if (hasEllipsis && rest === '') return undefined;
  let groups = 0;
  while (groups < GROUPS) {
    const [digits = ''] = /^[0-9A-Fa-f]*/.exec(rest) ?? [];
    if (digits.length > 4) return { message: 'each group must have 4 or less digits', at: rest };
    if (digits === '') return { message: 'each colon-separated field must have at least one digit', at: rest };
    if (rest[digits.length] === '.') {
      if (!hasEllipsis && groups !== GROUPS - 2)
        return { message: 'embedded IPv4 address must replace the final 2 fields of the address', at: rest };
      if (groups > GROUPS - 2)
        return { message: 'too many hex fields to fit an embedded IPv4 at the end of the address', at: rest };
      const fault = ipv4Fault(rest);
      if (fault !== undefined) return fault;
      rest = '';
      groups += 2;
      break;
    }
    groups++;
    rest = rest.slice(digits.length);
    if (rest === '') break;
    if (!rest.startsWith(':')) return { message: 'unexpected character, want colon', at: rest };
    if (rest === ':') return { message: 'colon must be followed by more characters', at: rest };
    rest = rest.slice(1);
    if (!rest.startsWith(':')) continue;
    if (hasEllipsis) return { message: 'multiple :: in address', at: rest };
    hasEllipsis = true;
    rest = rest.slice(1);
    if (rest === '') break;
  }
  if (rest !== '') return { message: 'trailing garbage after address', at: rest };
  if (groups < GROUPS) return hasEllipsis ? undefined : { message: 'address string too short' };
  return hasEllipsis ? { message: 'the :: must expand to at least one field of zeros' } : undefined;
}
