// Mutants that behave like the original, each with the reason, are in equivalent.json. They are known by the line they
// are in and by what becomes of it, so that an entry outlives edits elsewhere.
const isSame = (entry, mutant) =>
  entry.file === mutant.path && entry.code === mutant.code && entry.was === mutant.was && entry.text === mutant.text;

export function isEquivalent(mutant, entries) {
  return entries.some((entry) => isSame(entry, mutant));
}

/** The entries of a file or folder that no mutant answers to any more. */
export function staleEntries(entries, target, mutants) {
  return entries
    .filter(({ file }) => `${file}/`.startsWith(`${target}/`))
    .filter((entry) => !mutants.some((mutant) => isSame(entry, mutant)));
}
