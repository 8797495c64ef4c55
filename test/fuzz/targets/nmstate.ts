// Network states: keyfiles in both modes, links, drawings, forms, policies.
import { parseYaml } from '@coreiso/diagnostics';
import { formatGcListing, generateKeyfiles, judgeState, keyfileOf, linksOf, sampleState } from '@coreiso/nmstate';
import { drawNetworks, evaluatePolicy, fromForm, toForm } from '@coreiso/nmstate/forms';
import { recorded } from '../goldens.ts';
import { allowed, assertHolds, type Target, textOf, textsOf } from '../target.ts';

const STATES = () => [sampleState, ...recorded('packages/nmstate/test/goldens/nmstate.json', /\.yml$/, 2500)];
const judge = (text: string) => generateKeyfiles(text, { mode: 'compatible' });
const STEPS = { base: 2_000_000, perByte: 4_000 };

export const targets: readonly Target[] = [
  {
    name: 'nmstate/keyfiles',
    shape: 'tree',
    steps: STEPS,
    seeds: STATES,
    run: (input) => {
      const text = textOf(input);
      const { strict, compatible } = judgeState(text);
      assertHolds(!strict.ok || compatible.ok, 'what the strict rules take the compatible ones take');
      if (!compatible.ok) return assertHolds(compatible.diagnostics.length > 0, 'a refusal says why');
      const keyfiles = compatible.value.map(keyfileOf);
      // nmstate lets names and values break out of their places; the strict rules do not.
      for (const { name, content } of strict.ok ? keyfiles : []) {
        assertHolds(
          !/[/\0]/.test(name) && name !== '' && name !== '..',
          () => `a keyfile has a file name, not ${JSON.stringify(name)}`,
        );
        checkLines(content);
      }
      if (strict.ok)
        assertHolds(
          new Set(keyfiles.map(({ name }) => name)).size === keyfiles.length,
          'keyfiles have names of their own',
        );
      formatGcListing(keyfiles);
    },
  },
  {
    name: 'nmstate/links',
    shape: 'tree',
    steps: STEPS,
    seeds: STATES,
    run: (input) => {
      const links = linksOf(textOf(input));
      const drawing = drawNetworks([{ title: 'host <&"', links }]);
      assertHolds(drawing.startsWith('<svg') && drawing.trimEnd().endsWith('</svg>'), 'a drawing is an SVG');
      assertHolds(
        !/<(?!\/?(?:svg|g|rect|text|path|line|title|desc|circle|polyline|style|defs|marker|tspan|ellipse|polygon|a|use|symbol|clipPath)\b)/.test(
          drawing,
        ),
        'no text of a state becomes a tag',
      );
    },
  },
  {
    name: 'nmstate/forms',
    shape: 'tree',
    steps: STEPS,
    seeds: STATES,
    run: (input) => {
      const [text = '', other = text] = textsOf(input);
      const form = toForm(text);
      const same = fromForm(form, text, { judge });
      // A text without data becomes a state without interfaces.
      if (same.ok && hasData(text)) assertHolds(same.value === text, 'a form that nobody touched changes nothing');
      const written = fromForm(toForm(other), text, { judge });
      if (written.ok) toForm(written.value);
    },
  },
  {
    name: 'nmstate/policy',
    shape: 'tree',
    steps: STEPS,
    seeds: () => [
      'capture:\n  a: interfaces.name == "eth0"\n  b: capture.a | routes.running.next-hop-interface := "br1"\ndesiredState:\n  interfaces:\n  - name: "{{ capture.a.interfaces.0.name }}"\n    type: ethernet\n\0interfaces:\n- name: eth0\n  type: ethernet\n',
      'capture:\n  d: routes.running.destination=="0.0.0.0/0"\ndesired:\n  routes: "{{ capture.d.routes }}"\n\0routes:\n  running:\n  - destination: 0.0.0.0/0\n    next-hop-interface: eth1\n    next-hop-address: 192.0.2.1\n',
    ],
    run: (input) => {
      const [policy = '', current] = textsOf(input);
      const outcome = evaluatePolicy(policy, current);
      if (outcome.ok) allowed(() => generateKeyfiles(outcome.value));
      else assertHolds(outcome.diagnostics.length > 0, 'a refusal says why');
      generateKeyfiles(policy);
    },
  },
];

/** A keyfile has only sections, settings and empty lines: no value breaks out of its line. */
function checkLines(content: string): void {
  for (const line of content.split('\n')) {
    assertHolds(
      line === '' || /^\[[^\n]+\]$/.test(line) || /^[^\s=[][^=\n]*=/.test(line),
      () => `a line of a keyfile is a setting: ${JSON.stringify(line)}`,
    );
    assertHolds(!/[\0\r]/.test(line), () => `a keyfile has no control characters: ${JSON.stringify(line)}`);
  }
}

function hasData(text: string): boolean {
  const [outcome] = parseYaml(text);
  return outcome.ok && outcome.value.root !== undefined;
}
