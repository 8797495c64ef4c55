/** Where a text stops being YAML, in the words of libyaml, from which the readers we follow are translated. */
export interface YamlProblem {
  readonly problem: string;
  readonly offset: number;
  /** The construct that was being read (`while parsing a flow sequence`), and its start. */
  readonly context?: string | undefined;
  readonly contextOffset?: number | undefined;
  /** Whether it was found among the characters (`scanner`) or among the tokens (`parser`); go-yaml counts lines differently then. */
  readonly stage: 'reader' | 'scanner' | 'parser';
  /** Whether it is the end of the text that should not be there; libyaml takes it for a line of its own. */
  readonly isAtEnd: boolean;
}

/** Ends the reading of a text; thrown inside the parser only. */
export class YamlSyntaxError extends Error {
  readonly details: YamlProblem;

  constructor(details: YamlProblem) {
    super(details.problem);
    this.details = details;
  }
}
