/** nmstate's kinds of trouble with a policy. */
export type PolicyProblemKind = 'PolicyError' | 'InvalidArgument' | 'Bug';

/** Why a policy has no result, in nmstate's words. */
export class PolicyProblem extends Error {
  readonly kind: PolicyProblemKind;
  /** The expression or value that it is about, without the blanks around it. */
  readonly line: string | undefined;
  /** Where in the line, as nmstate counts; undefined where it does not say. */
  readonly position: number | undefined;

  constructor(kind: PolicyProblemKind, message: string, line?: string, position?: number) {
    super(message);
    this.kind = kind;
    this.line = line;
    this.position = position;
  }
}

/** Of an expression, at a position of it. */
export function problemAt(line: string, position: number, message: string): PolicyProblem {
  return new PolicyProblem('PolicyError', message, line, position);
}
