import type { ScalarNode } from '../node.ts';

interface Place {
  readonly start: number;
  readonly end: number;
}

/** A token without content: an indicator, or the begin or end of a block. */
export interface MarkToken extends Place {
  readonly kind:
    | 'stream-end'
    | 'document-start'
    | 'document-end'
    | 'block-sequence-start'
    | 'block-mapping-start'
    | 'block-end'
    | 'flow-sequence-start'
    | 'flow-sequence-end'
    | 'flow-mapping-start'
    | 'flow-mapping-end'
    | 'block-entry'
    | 'flow-entry'
    | 'key'
    | 'value';
}

interface ScalarToken extends Place {
  readonly kind: 'scalar';
  readonly text: string;
  readonly style: ScalarNode['style'];
}

export interface NameToken extends Place {
  readonly kind: 'anchor' | 'alias';
  readonly name: string;
}

/** `handle` is empty for a verbatim tag and for the lone `!`. */
export interface TagToken extends Place {
  readonly kind: 'tag';
  readonly handle: string;
  readonly suffix: string;
}

export interface VersionToken extends Place {
  readonly kind: 'version';
  readonly major: number;
  readonly minor: number;
}

export interface TagDirectiveToken extends Place {
  readonly kind: 'tag-directive';
  readonly handle: string;
  readonly prefix: string;
}

export type Token = MarkToken | ScalarToken | NameToken | TagToken | VersionToken | TagDirectiveToken;
