/** One item of each of `size` equal parts of the list, the same for the same seed. */
export function sample(list, size, seed) {
  if (size >= list.length) return list;
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  random();
  return Array.from({ length: size }, (_, part) => list[Math.floor(((part + random()) * list.length) / size)]);
}
