/** Orders paths by their UTF-8 bytes, which is the order of code points and not that of UTF-16 units. */
export function comparePaths(a: string, b: string): number {
  const left = a[Symbol.iterator]();
  const right = b[Symbol.iterator]();
  for (;;) {
    const [one, other] = [left.next().value, right.next().value];
    if (one === undefined || other === undefined) return Number(other === undefined) - Number(one === undefined);
    const difference = (one.codePointAt(0) ?? 0) - (other.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
}
