import type { SpecialType } from '../table.ts';

/** `yes`, `no` or a number; a number in quotes is kept as it is written. */
export const ipsecInterface: SpecialType = {
  kind: 'special',
  typescript: 'number | bigint | string',
  schema: {
    anyOf: [
      { type: 'integer', minimum: 0 },
      { type: 'string', pattern: '^(yes|no|\\+?[0-9]+)$' },
    ],
  },
  read(node, reader) {
    const value = reader.scalar(node);
    if (value === 'yes' || value === 'no') return value;
    if (typeof value === 'bigint' && value >= 0n) return value;
    if (typeof value === 'string' && /^\+?[0-9]+$/.test(value) && BigInt(value.replace('+', '')) <= 0xffff_ffffn)
      return value;
    const upstream = "Invalid ipsec-interface value, should be unsigned integer, string 'yes' or 'no'";
    return reader.refuse(
      node,
      'wrong-value',
      '`yes`, `no` (in quotes where YAML needs it) or a number is needed here',
      upstream,
    );
  },
};
