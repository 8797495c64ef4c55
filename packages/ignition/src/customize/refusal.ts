import type { Diagnostic, Path, Range } from '@coreiso/diagnostics';
import type { Code, FindingCode } from '../codes.ts';
import type { InputFault } from './fault.ts';

export interface RefusalDetails {
  readonly path?: Path | undefined;
  readonly range?: Range | undefined;
  readonly help?: string | undefined;
  readonly fault?: InputFault | undefined;
  readonly others?: readonly Diagnostic[] | undefined;
}

/** A finding of `customize` that refuses an input. */
export interface RefusalDiagnostic extends Diagnostic {
  /** The mistake in an input, if that is the cause. */
  readonly fault?: InputFault;
}

/** The reason why a customisation is refused: the outermost context first, then its causes. */
export class Refusal extends Error {
  override readonly name: string = 'Refusal';
  readonly code: FindingCode;
  readonly chain: readonly string[];
  readonly path: Path;
  readonly range: Range | undefined;
  readonly help: string | undefined;
  readonly fault: InputFault | undefined;
  /** Further reasons of the same rank. */
  readonly others: readonly Diagnostic[];

  constructor(code: Code, chain: readonly string[], more: RefusalDetails = {}) {
    super(chain.join(': '));
    this.code = `ignition/${code}`;
    this.chain = chain;
    this.path = more.path ?? [];
    this.range = more.range;
    this.help = more.help;
    this.fault = more.fault;
    this.others = more.others ?? [];
  }
}

/** The refusal of a feature that the image does not have. */
export function unsupportedByImage(what: string): Refusal {
  return new Refusal('unsupported-by-image', [`This OS image does not support customizing ${what}.`]);
}
