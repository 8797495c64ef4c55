import { addressBits, formatAddress, networkOf, parseAddress } from '@coreiso/peers/ip';
import type { Findings } from '../table/state-findings.ts';

const USIZE_MAX = (1n << 64n) - 1n;

/** Converts `192.0.2.1/24` to `192.0.2.0/24` and `192.0.2.1` to `192.0.2.1/32`. Undefined after a refusal. */
export function networkForm(text: string, findings: Findings): string | undefined {
  const parts = text.split('/');
  const [ip = '', prefix] = parts;
  if (parts.length > 2) {
    findings.invalid(
      `Invalid IP network string: '${text}', expecting 'ip/prefix' or 'ip' format, for example: 192.0.2.0/24 or 2001:db8:1::/64 or 192.0.2.1`,
    );
    return undefined;
  }
  const length = prefix === undefined ? undefined : parsePrefix(prefix, text, findings);
  if (prefix !== undefined && length === undefined) return undefined;
  const address = parseAddress(ip);
  if (address === undefined) {
    findings.invalid(
      prefix === undefined
        ? `Invalid IP network '${text}': invalid IP address syntax`
        : 'Invalid IP address : invalid IP address syntax',
    );
    return undefined;
  }
  const bits = addressBits(address.version);
  if (length === undefined) return `${formatAddress(address)}/${bits}`;
  if (length > BigInt(bits)) {
    findings.invalid(
      `Invalid IPv${address.version} network prefix length '${prefix}' in '${text}', should be smaller than ${bits}'`,
    );
    return undefined;
  }
  return `${formatAddress(networkOf(address, Number(length)))}/${length}`;
}

function parsePrefix(prefix: string, text: string, findings: Findings): bigint | undefined {
  const isNumber = /^\+?[0-9]+$/.test(prefix);
  const value = isNumber ? BigInt(prefix.replace('+', '')) : undefined;
  if (value !== undefined && value <= USIZE_MAX) return value;
  const reason =
    value !== undefined
      ? 'number too large to fit in target type'
      : prefix === ''
        ? 'cannot parse integer from empty string'
        : 'invalid digit found in string';
  findings.invalid(`Invalid IP network prefix length '${prefix}' in '${text}': ${reason}`);
  return undefined;
}
