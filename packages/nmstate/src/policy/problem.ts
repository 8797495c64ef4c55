/** The kinds of nmstate's errors about policies. */
export type PolicyProblemKind = 'PolicyError' | 'InvalidArgument' | 'Bug';

/** The reason why a policy has no result, with nmstate's message. */
export class PolicyProblem extends Error {
  readonly kind: PolicyProblemKind;
  /** The expression or value with the problem, without outer blanks. */
  readonly line: string | undefined;
  /** The position in the line as nmstate counts it; undefined if it reports none. */
  readonly position: number | undefined;

  constructor(kind: PolicyProblemKind, message: string, line?: string, position?: number) {
    super(message);
    this.kind = kind;
    this.line = line;
    this.position = position;
  }
}

/** A problem at a position of an expression. */
export function problemAt(line: string, position: number, message: string): PolicyProblem {
  return new PolicyProblem('PolicyError', message, line, position);
}
