// Editors: findings and their fixes, completion, hover, outline, definitions, in half-typed texts.

import { applyEdits } from '@coreiso/diagnostics';
import {
  editsOfFixes,
  findingsWithFixes,
  KINDS,
  kindOf,
  type LanguageKind,
  mendText,
  messageOf,
  Workspace,
} from '@coreiso/language';
import { sampleState } from '@coreiso/nmstate';
import { samples } from '@coreiso/nodes-config';
import { recorded } from '../goldens.ts';
import { assertHolds, type Target, textOf, textsOf } from '../target.ts';

const STEPS = { base: 20_000_000, perByte: 40_000 };
const MEMORY = 256 * 1024 * 1024;
const TEXTS = () => [
  samples.nodesConfig,
  samples.agentConfig,
  samples.installConfig,
  sampleState,
  'apiVersion: v1beta1\nkind: AgentConfig\nhosts:\n- hostname: a\n  ',
  'hosts:\n- hostname: worker-0\n  interfaces:\n  - name: eth0\n    macAddress: 52:54:00:00:00:01\n  networkConfig:\n    interfaces:\n    - nmae: eth0\n      typ: ethernet\n',
  ...recorded('packages/nmstate/test/goldens/nmstate.json', /\.yml$/, 500).slice(0, 30),
  ...recorded('packages/nodes-config/test/goldens/nodes-config.json', /^[^_].*\.yaml$/, 700).slice(0, 20),
  ...recorded('packages/ignition/test/goldens/validate.json', /\.ign$/, 400).slice(0, 20),
];

function kindOfInput(text: string, named: string | undefined): LanguageKind {
  const known = KINDS.find((kind) => kind === named);
  return known ?? kindOf(text) ?? 'nodes-config';
}

export const targets: readonly Target[] = [
  {
    name: 'language/ask',
    shape: 'tree',
    longest: 800,
    steps: STEPS,
    memory: MEMORY,
    seeds: TEXTS,
    run: async (input) => {
      const [text = '', named] = textsOf(input);
      const workspace = new Workspace();
      const uri = 'file:///a.yaml';
      await workspace.open(uri, text, kindOfInput(text, named));
      // Some places; mutations move the text around them.
      for (const offset of [text.length, (input.length * 7919) % (text.length + 1), text.indexOf(':') + 1]) {
        for (const { edit } of (await workspace.complete(uri, offset)) as readonly {
          edit?: { start: number; end: number; text: string };
        }[]) {
          if (edit !== undefined) applyEdits(text, [edit]);
        }
        const hover = await workspace.hover(uri, offset);
        assertHolds(
          hover === undefined || (0 <= hover.start && hover.end <= text.length),
          'what is hovered lies in the text',
        );
        const place = await workspace.definition(uri, offset);
        assertHolds(place === undefined || place.end <= text.length, 'a definition lies in the text');
      }
      await workspace.outline(uri);
    },
  },
  {
    name: 'language/fixes',
    shape: 'tree',
    longest: 500,
    steps: STEPS,
    memory: MEMORY,
    seeds: () => TEXTS().filter((text) => text.length <= 500),
    run: (input) => {
      const [text = '', named] = textsOf(input);
      const kind = kindOfInput(text, named);
      const findings = findingsWithFixes({ kind, text });
      for (const finding of findings) {
        messageOf(finding);
        for (const { edits } of finding.fixes ?? []) applyEdits(text, edits);
      }
      applyEdits(text, editsOfFixes(findings, 'all'));
    },
  },
  {
    name: 'language/mend',
    shape: 'text',
    longest: 350,
    steps: { base: 60_000_000, perByte: 100_000 },
    memory: MEMORY,
    seeds: () => TEXTS().filter((text) => text.length <= 350),
    run: (input) => {
      const text = textOf(input);
      const kind = kindOfInput(text, undefined);
      mendText({ kind, text: mendText({ kind, text }, 'safe') }, 'safe');
    },
  },
];
