/** The reflected polynomial of UEFI 5.3.2, which is that of Ethernet, gzip and xz. */
const POLYNOMIAL = 0xedb88320;

const TABLE: Int32Array = /* @__PURE__ */ Int32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
  return value;
});

/** CRC-32 of `bytes`, as GPT headers and gzip carry it; `previous` is that of what comes before them. */
export function crc32(bytes: Uint8Array, previous: number = 0): number {
  let crc = previous ^ 0xffffffff;
  // By index: an iterator takes four times as long, and gzip passes whole initramfs through here.
  for (let at = 0; at < bytes.length; at++) {
    crc = (crc >>> 8) ^ (TABLE[(crc ^ (bytes[at] as number)) & 0xff] as number);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
