import type { Path, Range } from '@coreiso/diagnostics';

/** Why a customisation is refused: the outermost context first, then what caused it, as coreos-installer prints its chain. */
export class Refusal extends Error {
  override readonly name: string = 'Refusal';
  readonly code: string;
  readonly chain: readonly string[];
  readonly path: Path;
  readonly range: Range | undefined;

  constructor(code: string, chain: readonly string[], place: { path?: Path; range?: Range | undefined } = {}) {
    super(chain.join(': '));
    this.code = `ignition/${code}`;
    this.chain = chain;
    this.path = place.path ?? [];
    this.range = place.range;
  }
}

/** The refusal of what an image's features leave out. */
export function unsupportedByImage(what: string): Refusal {
  return new Refusal('unsupported-by-image', [`This OS image does not support customizing ${what}.`]);
}
