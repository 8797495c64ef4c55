import type { SpecialType } from '../table.ts';

const PCI_ADDRESS = /^(?:([0-9a-fA-F]+):)?([0-9a-fA-F]+):([0-9a-fA-F]+)\.([0-9]+)$/;

/** Kept as it will be printed. */
export const pciAddress: SpecialType = {
  kind: 'special',
  typescript: 'string',
  schema: { type: 'string', pattern: '^([0-9a-fA-F]+:)?[0-9a-fA-F]+:[0-9a-fA-F]+\\.[0-9]+$' },
  read(node, reader) {
    const written = reader.text(node);
    if (written === undefined) return undefined;
    const parts = PCI_ADDRESS.exec(written);
    const [, domain = '0', bus = '', slot = '', call = ''] = parts ?? [];
    const inRange =
      Number.parseInt(domain, 16) <= 0xffff_ffff &&
      Number.parseInt(bus, 16) <= 0xff &&
      Number.parseInt(slot, 16) <= 0xff &&
      Number(call) <= 0xff;
    if (parts === null || !inRange) {
      const upstream = `InvalidArgument: Invalid PCI address, expecting string like 00:1b.0 or 0000:07:00.1, but got ${written}`;
      return reader.refuse(node, 'wrong-value', `\`${written}\` is not a PCI address such as 0000:07:00.1`, upstream);
    }
    const number = Number.parseInt(domain, 16);
    const width = number > 0xffff ? 8 : 4;
    return `${hex(number, width)}:${hex(Number.parseInt(bus, 16), 2)}:${hex(Number.parseInt(slot, 16), 2)}.${Number(call)}`;
  },
};

function hex(value: number, width: number): string {
  return value.toString(16).padStart(width, '0');
}

const ADDRESS_PROTOCOLS = ['lo', 'ra', 'kernel_ll'] as const;

/** By name, or by number in any form; 1, 2 and 3 are the names. */
export const addressProtocol: SpecialType = {
  kind: 'special',
  typescript: "'lo' | 'ra' | 'kernel_ll' | number",
  schema: {
    anyOf: [
      { type: 'integer', minimum: 0, maximum: 255 },
      { type: 'string', pattern: '^(lo|ra|kernel_ll|0x[0-9a-fA-F]+|[0-9]+)$' },
    ],
  },
  read(node, reader) {
    const value = reader.scalar(node);
    const isNumber = typeof value === 'bigint' && value >= 0n;
    if (!isNumber && typeof value !== 'string') {
      return reader.wrongType(node, 'lo, ra, kernel_ll or a number', 'unsigned integer or string');
    }
    const written = String(value);
    const named = ADDRESS_PROTOCOLS.find((name) => name === written);
    if (named !== undefined) return named;
    const number = /^(?:0x[0-9a-fA-F]+|\+?[0-9]+)$/.test(written) ? BigInt(written.replace('+', '')) : undefined;
    if (number === undefined || number > 255n) {
      const upstream = `InvalidArgument: Invalid address protocol '${written}', should be lo, ra, kernel_ll or integer from 0 to 255 (decimal or 0x hex)`;
      return reader.refuse(
        node,
        'wrong-value',
        `\`${written}\` is not lo, ra, kernel_ll or a number from 0 to 255`,
        upstream,
      );
    }
    return ADDRESS_PROTOCOLS[Number(number) - 1] ?? Number(number);
  },
};
