/** Compares as UTF-8 bytes do, which for text is the order of code points; JavaScript compares UTF-16 units. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left === right) continue;
    // Surrogates stand for code points above all other units.
    const leftRank = isSurrogate(left) ? left + 0x10000 : left;
    const rightRank = isSurrogate(right) ? right + 0x10000 : right;
    return leftRank - rightRank;
  }
  return a.length - b.length;
}

/** Sorts in place; the native order is the same as long as no text leaves the basic plane. */
export function sortTexts(texts: string[]): string[] {
  return texts.some((text) => SURROGATE.test(text)) ? texts.sort(compareText) : texts.sort();
}

const SURROGATE = /[\ud800-\udfff]/;

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}
