import { applyEdits } from '@coreiso/diagnostics';
import { editsOfFixes, findingsWithFixes, KINDS, kindOf, type LanguageKind } from '@coreiso/language';
import { meaningOf } from './meaning.ts';

/** A text with a mistake, the intended text, and the line of the mistake. */
export interface MistakeCase {
  readonly kind?: string | undefined;
  readonly broken: string;
  readonly meant: string;
  readonly line?: number | undefined;
  /** The label of the mistake, if known. */
  readonly label?: string | undefined;
}

export interface Verdict {
  readonly isFlagged: boolean;
  /** `right`: valid and as intended; `wrong`: valid but different; `left`: still refused. */
  readonly repair: 'right' | 'wrong' | 'left';
  readonly text: string;
  readonly lines: readonly number[];
  readonly messages: readonly string[];
}

const ROUNDS = 2;

/** Other names for our kinds. */
const ALIASES: Readonly<Record<string, LanguageKind>> = {
  nmstate: 'network-state',
  networkstate: 'network-state',
  ign: 'ignition',
  nodesconfig: 'nodes-config',
  agentconfig: 'agent-config',
  installconfig: 'install-config',
};

function kindOfCase({ kind = '', meant }: MistakeCase): LanguageKind {
  const known =
    KINDS.find((one) => one === kind) ?? ALIASES[kind.toLowerCase().replaceAll(/[-_ ]|\.ya?ml$/g, '')] ?? kindOf(meant);
  if (known === undefined) throw new Error(`no kind is known by the name ${kind}`);
  return known;
}

export function replayMistake(one: MistakeCase): Verdict {
  const kind = kindOfCase(one);
  let text = one.broken;
  let findings = findingsWithFixes({ kind, text });
  const lines = findings
    .filter(({ severity }) => severity !== 'info')
    .flatMap(({ range }) => (range === undefined ? [] : [range.start.line]));
  const messages = findings.map(
    ({ code, message, help, fixes, range }) =>
      `${range?.start.line} ${code}: ${message} | ${help} | ${fixes?.map((fix) => `${fix.safe ? 'safe ' : ''}${fix.title}`)}`,
  );
  const isFlagged = one.line === undefined ? lines.length > 0 : lines.includes(one.line);
  for (let round = 0; round < ROUNDS; round++) {
    const edits = editsOfFixes(findings, 'safe');
    if (edits.length === 0) break;
    text = applyEdits(text, edits);
    findings = findingsWithFixes({ kind, text });
  }
  const meaning = meaningOf(kind, text);
  const repair =
    meaning === undefined || text === one.broken ? 'left' : meaning === meaningOf(kind, one.meant) ? 'right' : 'wrong';
  return { isFlagged, repair, text, lines, messages };
}
