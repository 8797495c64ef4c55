/** A syntax error in the words of libyaml, from which the readers that we follow are translated. */
export interface YamlProblem {
  readonly problem: string;
  readonly offset: number;
  /** The construct that was being read (`while parsing a flow sequence`), and its start. */
  readonly context?: string | undefined;
  readonly contextOffset?: number | undefined;
  /** Whether the scanner or the parser found it; go-yaml counts lines differently for each. */
  readonly stage: 'reader' | 'scanner' | 'parser';
  /** Whether the text ends too early; libyaml counts the end as a line of its own. */
  readonly isAtEnd: boolean;
}

/** Stops the reading of a text; thrown inside the parser only. */
export class YamlSyntaxError extends Error {
  readonly details: YamlProblem;

  constructor(details: YamlProblem) {
    super(details.problem);
    this.details = details;
  }
}
