/** A function of an immutable object that works its answer out once; the answer lives as long as the object. */
export function memoize<K extends object, V>(compute: (key: K) => V): (key: K) => V {
  const answers = new WeakMap<K, { readonly value: V }>();
  return (key) => {
    const known = answers.get(key);
    if (known !== undefined) return known.value;
    const value = compute(key);
    answers.set(key, { value });
    return value;
  };
}
