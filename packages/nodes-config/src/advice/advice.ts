// What advice consists of: a finding, and what to do about it in a form that a person or a program can take as it is.
import type { Diagnostic, Plain } from '@coreiso/diagnostics';
import type { Rule } from '../text/codes.ts';

/** A Kubernetes object, ready to be written. */
export type Manifest = { readonly [member: string]: Plain };

/** One step of a help; `why` is a sentence for whoever meets the file later. Nothing is ever applied from here. */
export type AdvisedChange =
  /** An object for server-side apply; `name` is that of its file. */
  | { readonly kind: 'manifest'; readonly name: string; readonly object: Manifest; readonly why: string }
  /** Another file: an Ignition override, a load balancer's configuration. */
  | { readonly kind: 'file'; readonly name: string; readonly text: string; readonly why: string }
  /** A DNS record; without addresses where only the site knows them. */
  | { readonly kind: 'dns'; readonly name: string; readonly addresses: readonly string[]; readonly why: string }
  | { readonly kind: 'command'; readonly command: string; readonly why: string };

/** A finding about what surrounds new nodes, with what cures it. */
export interface Advice extends Diagnostic {
  readonly manifests: readonly AdvisedChange[];
}

/** As rules make it, before it has a place in the text. */
export type Finding = Pick<Advice, 'severity' | 'message' | 'path' | 'manifests'> & {
  /** Without the package in front. */
  readonly code: Rule;
  /** What to do, as a sentence. */
  readonly help: string;
};

/** A word of a command line; in quotes where a shell would see more in it. */
export function shellWord(word: string): string {
  return /^[\w./:=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
