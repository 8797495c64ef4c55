import { Goldens } from '../support/goldens.ts';

/** Recorded files of a package whose names match, up to a size: seed inputs. */
export function recorded(path: string, pattern: RegExp, longest = 4096): string[] {
  const goldens = new Goldens(new URL(path, `file://${process.cwd()}/`));
  return goldens
    .paths(pattern)
    .map((name) => goldens.text(name))
    .filter((text) => text.length > 0 && text.length <= longest);
}
