/** The reflected polynomial of UEFI 5.3.2, which is that of Ethernet, gzip and xz. */
const POLYNOMIAL = 0xedb88320;

/** What a byte comes to that is followed by 0, 1, 2 or 3 bytes of zero. */
const TABLES: readonly Int32Array[] = /* @__PURE__ */ [8, 16, 24, 32].map((bits) =>
  Int32Array.from({ length: 256 }, (_, index) => {
    let value = index;
    for (let bit = 0; bit < bits; bit++) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
    return value;
  }),
);

/** CRC-32 of `bytes`, as GPT headers and gzip carry it; `previous` is that of what comes before them. */
export function crc32(bytes: Uint8Array, previous: number = 0): number {
  const [t0, t1, t2, t3] = TABLES as [Int32Array, Int32Array, Int32Array, Int32Array];
  let crc = previous ^ 0xffffffff;
  let at = 0;
  // Four bytes at a time, by index: gzip passes whole initramfs through here.
  for (const end = bytes.length - 3; at < end; at += 4) {
    crc ^= byte(bytes, at) | (byte(bytes, at + 1) << 8) | (byte(bytes, at + 2) << 16) | (byte(bytes, at + 3) << 24);
    crc = look(t3, crc) ^ look(t2, crc >>> 8) ^ look(t1, crc >>> 16) ^ look(t0, crc >>> 24);
  }
  for (; at < bytes.length; at++) crc = (crc >>> 8) ^ look(t0, crc ^ byte(bytes, at));
  return (crc ^ 0xffffffff) >>> 0;
}

function byte(bytes: Uint8Array, at: number): number {
  return bytes[at] as number;
}

function look(table: Int32Array, index: number): number {
  return table[index & 0xff] as number;
}
