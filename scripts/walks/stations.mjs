// A path runs through hundreds of files. A reader who follows the data opens fewer: those of the package where it begins,
// and in every other package the entered files. A file that only returns, without calling others, is not a station either.

/**
 * @param walk `files`: all files of a walk, in the order of the first visit; `entries`: pairs of files, of which the first
 * called an export of the second
 */
export function stationsOf({ files, entries }) {
  const home = packageOf(files[0]);
  const isTool = (file) => packageOf(file) === 'peers';
  const handsOn = new Set(entries.filter(([, to]) => !isTool(to)).map(([from]) => from));
  const entered = new Set(entries.filter(([from, to]) => packageOf(from) !== packageOf(to)).map(([, to]) => to));
  const isNear = (file) => packageOf(file) === home || entered.has(file);
  return files.filter((file) => !isTool(file) && handsOn.has(file) && isNear(file));
}

function packageOf(path) {
  return path.split('/')[0];
}
