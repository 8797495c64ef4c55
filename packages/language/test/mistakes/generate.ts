import type { LanguageKind } from '@coreiso/language';
import { Random } from '../../../../test/support/random.ts';
import { BASES } from './bases.ts';
import { meaningOf } from './meaning.ts';
import { mistakesOf } from './mutations.ts';
import type { MistakeCase } from './replay.ts';

/** Our own cases have all members. */
export type MadeCase = Required<MistakeCase> & { readonly kind: LanguageKind; readonly label: string };

/** As many mistakes as requested, the same for the same seed. Changes without an effect on the meaning are left out. */
export function* mistakes(count: number, seed: number): Generator<MadeCase> {
  const random = new Random(seed);
  const kinds = Object.keys(BASES) as LanguageKind[];
  for (let made = 0, tried = 0; made < count && tried < count * 50; tried++) {
    const kind = kinds[made % kinds.length] ?? 'nodes-config';
    const meant = BASES[kind]?.(random) ?? '';
    const label = random.pick(Object.keys(mistakesOf(kind)));
    const mistake = mistakesOf(kind)[label]?.(meant, random);
    if (mistake === undefined || meaningOf(kind, mistake.broken) === meaningOf(kind, meant)) continue;
    made++;
    // Some editors end lines as Windows does.
    const ends = random.below(12) === 0 ? '\r\n' : '\n';
    const [right, wrong] = [meant, mistake.broken].map((text) => text.replaceAll('\n', ends));
    yield { kind, label, meant: right ?? '', broken: wrong ?? '', line: mistake.line };
  }
}
