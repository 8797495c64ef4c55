/** The reflected polynomial of UEFI 5.3.2, which is that of Ethernet, gzip and xz. */
const POLYNOMIAL = 0xedb88320;

const TABLE: Uint32Array = /* @__PURE__ */ Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
  return value;
});

/** CRC-32 of `bytes`, as GPT headers and gzip carry it; `previous` is that of what comes before them. */
export function crc32(bytes: Uint8Array, previous: number = 0): number {
  let crc = previous ^ 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ (TABLE[(crc ^ byte) & 0xff] ?? 0);
  return (crc ^ 0xffffffff) >>> 0;
}
