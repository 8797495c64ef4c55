/** The reflected polynomial of UEFI 5.3.2, as in Ethernet, gzip and xz. */
const POLYNOMIAL = 0xedb88320;

/** The CRC of each byte, and of each byte followed by one, two and three zero bytes. */
const T0: Int32Array = /* @__PURE__ */ Int32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
  return value;
});
const T1: Int32Array = /* @__PURE__ */ T0.map(withZeroBehind);
const T2: Int32Array = /* @__PURE__ */ T1.map(withZeroBehind);
const T3: Int32Array = /* @__PURE__ */ T2.map(withZeroBehind);

function withZeroBehind(value: number): number {
  return (value >>> 8) ^ at(T0, value & 0xff);
}

/** CRC-32 of `bytes`, as GPT headers and gzip carry it; `previous` is the CRC of the bytes before them. */
export function crc32(bytes: Uint8Array, previous: number = 0): number {
  let crc = previous ^ 0xffffffff;
  let place = 0;
  // Four bytes at a time, by index, for speed: gzip sends whole initramfs through this loop.
  for (const end = bytes.length - 3; place < end; place += 4) {
    crc ^= at(bytes, place) | (at(bytes, place + 1) << 8) | (at(bytes, place + 2) << 16) | (at(bytes, place + 3) << 24);
    crc = at(T3, crc & 0xff) ^ at(T2, (crc >>> 8) & 0xff) ^ at(T1, (crc >>> 16) & 0xff) ^ at(T0, crc >>> 24);
  }
  for (; place < bytes.length; place++) crc = (crc >>> 8) ^ at(T0, (crc ^ at(bytes, place)) & 0xff);
  return (crc ^ 0xffffffff) >>> 0;
}

function at(numbers: Uint8Array | Int32Array, index: number): number {
  return numbers[index] as number;
}
