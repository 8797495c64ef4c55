import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { Goldens } from '../../../../test/support/goldens.ts';
import { DEBIAN_PYTHON, describeWithBindings, output } from '../../../../test/support/tools.ts';
import { evaluatePolicy } from '../../src/forms.ts';
import { generateKeyfiles, type Keyfile } from '../../src/index.ts';
import { NEWER, NONSENSE } from './exceptions.ts';

interface Verdict {
  readonly name: string;
  readonly error?: string;
  readonly warnings: string[];
  readonly ignored: string[];
  readonly changed: string[];
}

const CHECKER = fileURLToPath(new URL('check.py', import.meta.url));

/** One line per finding; none if libnm reads the whole keyfile without warnings. */
function judge(keyfiles: readonly Keyfile[]): Map<string, string[]> {
  const printed = output(DEBIAN_PYTHON, [CHECKER], { input: Buffer.from(JSON.stringify(keyfiles)) });
  const verdicts: Verdict[] = JSON.parse(printed.toString());
  return new Map(
    verdicts.map(({ name, error, warnings, ignored, changed }) => [
      name,
      [
        ...(error === undefined ? [] : [`error ${error}`]),
        ...warnings.map((text) => `warning ${text}`),
        ...ignored.map((text) => `ignored ${text}`),
        ...changed.map((text) => `changed ${text}`),
      ],
    ]),
  );
}

function generate(prefix: string, input: string): Keyfile[] {
  // Captures are filled in first, as nmstatectl gc does.
  const policy = /^capture:/m.test(input) ? evaluatePolicy(input) : undefined;
  const outcome = generateKeyfiles(policy?.ok ? policy.value : input, { mode: 'compatible' });
  if (!outcome.ok) return [];
  return outcome.value.map(({ name, content }) => ({
    name: `${prefix}/${name.replace(/\.nmconnection$/, '')}`,
    content,
  }));
}

function isExpected(keyfile: string, finding: string): boolean {
  if (NEWER.some((newer) => finding.startsWith(newer))) return true;
  return NONSENSE.some(([nonsense, keyfiles]) => finding.startsWith(nonsense) && keyfiles.includes(keyfile));
}

function unexpected(verdicts: ReadonlyMap<string, readonly string[]>): string[] {
  return [...verdicts].flatMap(([name, findings]) =>
    findings.filter((finding) => !isExpected(name, finding)).map((finding) => `${name}: ${finding}`),
  );
}

describeWithBindings('NM', '1.0', 'libnm', () => {
  test('accepts every keyfile of every recording', () => {
    const goldens = new Goldens(new URL('../goldens/nmstate.json', import.meta.url));
    const keyfiles = goldens.paths(/\.yml$/).flatMap((path) => {
      const input = new TextDecoder('utf-8', { ignoreBOM: true }).decode(goldens.bytes(path));
      return generate(path.replace(/\.yml$/, ''), input);
    });
    expect(keyfiles.length).toBe(1387);
    expect(unexpected(judge(keyfiles))).toEqual([]);
  });

  test('accepts every keyfile of the worked examples', () => {
    const url = new URL('../goldens/worked-examples.json', import.meta.url);
    const examples: { title: string; input: string }[] = JSON.parse(readFileSync(url, 'utf8'));
    const keyfiles = examples.flatMap(({ title, input }) => generate(title, input));
    expect(keyfiles.length).toBe(50);
    expect(unexpected(judge(keyfiles))).toEqual([]);
  });
});

describeWithBindings('NM', '1.0', 'the checker', () => {
  const [good] = generate('host', 'interfaces: [{name: eth1, type: ethernet, ipv4: {enabled: true, dhcp: true}}]');

  test('finds nothing in a good keyfile', () => {
    expect(judge([good!]).get('host/eth1')).toEqual([]);
  });

  test.each([
    ['no line at all', (text: string) => `${text}loose words\n`, /^error /],
    ['a section without its end', (text: string) => text.replace('[ipv4]', '[ipv4'), /^error /],
    ['no type', (text: string) => text.replace(/^type=.*\n/m, ''), /^error connection\.type/],
    ['an impossible method', (text: string) => text.replace('method=auto', 'method=sometimes'), /^error ipv4\.method/],
    ['an impossible UUID', (text: string) => text.replace(/^uuid=.*$/m, 'uuid=1'), /^error connection\.uuid/],
    [
      'a bad address',
      (text: string) => text.replace('[ipv4]', '[ipv4]\naddress0=192.0.2.300/24'),
      /^warning \[ipv4\] address0/,
    ],
    [
      'a misspelt key',
      (text: string) => text.replace('never-default', 'never-defualt'),
      /^ignored ipv4\.never-defualt=/,
    ],
    [
      'an unknown section',
      (text: string) => `${text}\n[ipv5]\nmethod=auto\n`,
      /^(?:warning \[ipv5\]|ignored ipv5\.method=)/,
    ],
    [
      'a value that turns into another',
      (text: string) => text.replace('[ipv4]', '[ipv4]\ndns=192.0.2.1;192.0.2.1'),
      /^changed ipv4\.dns/,
    ],
  ])('finds %s', (_, spoil, finding) => {
    const [findings] = judge([{ name: 'bad', content: spoil(good!.content) }]).values();
    expect(findings).toContainEqual(expect.stringMatching(finding));
  });
});
