// The actions of a machine at its boots, in words: a simulation of the plan with the cards of one machine.
import { type BootOutline, type BootResult, type HostPlans, type Machine, simulateBoot } from '@coreiso/nodes-config';
import { BOOTS } from '../texts/boots.ts';
import type { Block, Sentence, View } from './blocks.ts';
import { describeProfile } from './keyfiles.ts';

/** Cards as people write them: a name and a MAC address on each line, or the address alone. */
export function readCards(text: string): { readonly nics: Machine['nics']; readonly problems: readonly string[] } {
  const nics: Record<string, string> = {};
  const problems: string[] = [];
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '') continue;
    const words = line.split(/[\s,=]+/).filter((word) => word !== '');
    const mac = words.find((word) => /^(?:[\da-f]{2}[:-]){5}[\da-f]{2}$/i.test(word));
    const name = words.find((word) => word !== mac) ?? `nic${Object.keys(nics).length}`;
    if (mac === undefined || words.length > 2) problems.push(BOOTS.badLine(line));
    else nics[name] = mac.replaceAll('-', ':').toLowerCase();
  }
  return { nics, problems };
}

/** `outline` describes a host of the plan; its boots depend on the installed system. */
export function bootsView(plan: HostPlans, cards: string, outline: (host: number) => BootOutline): View {
  const { nics, problems } = readCards(cards);
  const complaints = problems.map((text): Sentence => ({ kind: 'sentence', tone: 'error', text }));
  if (Object.keys(nics).length === 0) {
    return { blocks: [...complaints, { kind: 'sentence', tone: 'hint', text: BOOTS.noCards }], hidesSecrets: false };
  }
  const boot = simulateBoot(plan, { nics });
  const notes = boot.diagnostics.map(({ severity, message }): Sentence => {
    return { kind: 'sentence', tone: severity === 'info' ? 'plain' : severity, text: message };
  });
  const { host } = boot;
  const steps = host === undefined ? undefined : outline(plan.hosts.indexOf(host));
  const blocks: Block[] = [
    ...complaints,
    machineFacts(nics, boot),
    ...(steps === undefined
      ? [{ kind: 'sentence', tone: 'plain', text: BOOTS.strangerBoots } as const]
      : [stepsOf(steps)]),
    ...notes,
    ...profileTable(boot),
  ];
  return { blocks, hidesSecrets: false };
}

function machineFacts(nics: Machine['nics'], { host, directory, files }: BootResult): Block {
  const rows = [
    {
      key: 'machine/cards',
      name: BOOTS.cards,
      value: Object.entries(nics)
        .map((card) => card.join(' '))
        .join(', '),
    },
    { key: 'machine/is', name: BOOTS.is, value: host?.name ?? BOOTS.stranger },
    ...(host === undefined
      ? []
      : [{ key: 'machine/called', name: BOOTS.called, value: host.hostname ?? BOOTS.nameFromNetwork }]),
    ...(files === null ? [] : [{ key: 'machine/directory', name: BOOTS.directory, value: directory }]),
  ];
  return { kind: 'facts', rows };
}

export function stepsOf({ first, second, later }: BootOutline, prefix = 'boot'): Block {
  return {
    kind: 'steps',
    steps: [
      { key: `${prefix}/first`, title: BOOTS.first, text: sentenceOf(first) },
      { key: `${prefix}/second`, title: BOOTS.second, text: sentenceOf(second) },
      { key: `${prefix}/later`, title: BOOTS.later, text: sentenceOf(later) },
    ],
  };
}

/** Outlines continue after a name: they have no capital and no full stop. */
function sentenceOf(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

function profileTable({ profiles }: BootResult): Block[] {
  if (profiles.length === 0) return [];
  const rows = profiles.map((profile) => {
    return { key: `profile/${profile.name}`, cells: [profile.name, describeProfile(profile)] };
  });
  return [{ kind: 'table', caption: BOOTS.profiles, columns: BOOTS.profileColumns, rows }];
}
