// equivalent.json lists mutants that behave like the original, each with the reason. An entry has the line and its change,
// so that it stays valid after edits elsewhere.
const isSame = (entry, mutant) =>
  entry.file === mutant.path && entry.code === mutant.code && entry.was === mutant.was && entry.text === mutant.text;

export function isEquivalent(mutant, entries) {
  return entries.some((entry) => isSame(entry, mutant));
}

/** The entries for a file or folder that match no mutant. */
export function staleEntries(entries, target, mutants) {
  return entries
    .filter(({ file }) => `${file}/`.startsWith(`${target}/`))
    .filter((entry) => !mutants.some((mutant) => isSame(entry, mutant)));
}
