import type { LanguageKind } from '@coreiso/language';
import examples from './generated/examples.json' with { type: 'json' };

/** An example of a code: the message and, if it is about one text, the text and its kind. */
export interface Example {
  readonly message: string;
  readonly help?: string;
  readonly kind?: LanguageKind;
  readonly text?: string;
}

/** Recorded by `node scripts/docs.mjs record`. */
export const EXAMPLES: Readonly<Record<string, Example>> = examples as Readonly<Record<string, Example>>;
