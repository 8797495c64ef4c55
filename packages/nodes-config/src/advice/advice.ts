// A piece of advice: a finding, and its solution in a form that a person or a program can use unchanged.
import type { Diagnostic } from '@coreiso/diagnostics';
import type { Manifest } from '../documents/written-manifests.ts';
import type { Rule } from '../text/codes.ts';

/** A finding about the surroundings of new nodes, with its solution. */
export interface Advice extends Diagnostic {
  /** The changes that solve it, in order; `why` is a sentence for readers of the file. Nothing is applied automatically. */
  readonly manifests: readonly (
    | {
        /** An object for server-side apply; `name` is its file name. */
        readonly kind: 'manifest';
        readonly name: string;
        readonly object: Manifest;
        readonly why: string;
      }
    /** Another file: an Ignition override, a load balancer's configuration. */
    | { readonly kind: 'file'; readonly name: string; readonly text: string; readonly why: string }
    /** A DNS record; without addresses if only the site knows them. */
    | { readonly kind: 'dns'; readonly name: string; readonly addresses: readonly string[]; readonly why: string }
    | { readonly kind: 'command'; readonly command: string; readonly why: string }
  )[];
}

/** One step of a piece of advice. */
export type AdvisedChange = Advice['manifests'][number];

/** The finding as rules make it, before it has a place in the text. */
export type Finding = Pick<Advice, 'severity' | 'message' | 'path' | 'manifests'> & {
  /** Without the package prefix. */
  readonly code: Rule;
  /** What to do, as a sentence. */
  readonly help: string;
};

/** Quotes a word of a command line if a shell would interpret it. */
export function shellWord(word: string): string {
  return /^[\w./:=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
