import { type Customization, customize, customizeOrThrow, type NamedInput } from '@coreiso/ignition/customize';
import { describe, expect, test } from 'vitest';
import { Goldens } from '../../../../test/support/goldens.ts';
import { asUpstreamRefuses } from '../../src/drop-in/words/refusal.ts';
import {
  imageOf,
  meaning,
  membersOf,
  optionsOf,
  type RecordedCase,
  type RecordedStep,
  recordedKeyfiles,
  sha256,
} from '../recorded/customizations.ts';
import { coreiso } from '../support.ts';

const goldens = new Goldens(new URL('../../../../test/goldens/coreos-installer.json', import.meta.url));

/** Errors of the command around the customization: in its arguments, the image or the output. */
const BEFORE = [
  /^error: /,
  /already customized/,
  /^Error: (opening|creating temporary|not a CoreOS|reading\/copying|parsing OS features)/,
];
const AFTER = /Error: (persisting output file|Compressed initramfs|kargs too large|Wrong input)/;

interface Operation {
  readonly title: string;
  readonly test: RecordedCase;
  readonly step: RecordedStep;
}

function operations(file: string): Operation[] {
  const { cases } = goldens.json<{ cases: RecordedCase[] }>(file);
  return cases.flatMap((test) =>
    test.steps
      .filter(({ argv }) => argv[1] === 'customize')
      .filter(({ expect: { stderr } }) => !BEFORE.some((pattern) => pattern.test(stderr.text)))
      .map((step, index) => ({ title: `${test.id} ${index + 1}`, test, step })),
  );
}

async function perform({ test: recorded, step }: Operation) {
  const printed: string[] = [];
  const context = {
    ...imageOf(recorded, step),
    target: step.argv[0] === 'pxe' ? ('pxe' as const) : ('iso' as const),
    toKeyfiles: recordedKeyfiles(step),
    newer: 'refuse' as const,
    mode: 'compatible' as const,
    onMessage: (message: string) => printed.push(`${message}\n`),
  };
  let made: Customization | undefined;
  let last: Uint8Array = new Uint8Array();
  const watched = (input: NamedInput): NamedInput => ({
    name: input.name,
    async read() {
      last = (await input.read()) as Uint8Array;
      return last;
    },
  });
  try {
    made = await customizeOrThrow(optionsOf(recorded, step, watched), context);
    expect(printed.join('')).toBe(made.messages.map((message) => `${message}\n`).join(''));
  } catch (error) {
    printed.push(...errorText(asUpstreamRefuses(error, last) as Error));
  }
  return { made, stderr: printed.join('') };
}

/** Returns the error chain as the command prints it. */
function errorText(error: Error): string[] {
  const causes: string[] = [];
  for (let cause = error.cause; cause instanceof Error; cause = cause.cause) causes.push(cause.message);
  const lines = causes.map((cause, index) => `    ${causes.length > 1 ? `${index}: ` : ''}${cause}\n`);
  return [`Error: ${error.message}\n`, ...(causes.length > 0 ? ['\nCaused by:\n', ...lines] : [])];
}

test('refuses an invalid console with the arguments, as recorded', async () => {
  const { cases } = goldens.json<{ cases: RecordedCase[] }>('customize.json');
  const refused = cases
    .flatMap(({ steps }) => steps)
    .filter(({ expect: { stderr } }) => stderr.text.startsWith("error: invalid value '"));
  expect(refused.length).toBeGreaterThan(10);
  for (const { argv, expect: recorded } of refused) {
    const { status, stderr } = await coreiso(argv);
    expect([status, stderr]).toEqual([recorded.exit, recorded.stderr.text]);
  }
});

describe.each([
  ['customize.json', 127],
  ['pxe.json', 39],
])('%s', (file, count) => {
  const all = operations(file);

  test('has the expected number of operations', () => {
    expect(all.length).toBe(count);
  });

  test.each(all)('$title ends as recorded', async (operation) => {
    const { made, stderr } = await perform(operation);
    const { exit, stderr: recorded } = operation.step.expect;
    const [own = ''] = recorded.text.split(AFTER);
    expect(stderr).toBe(own);
    expect(made !== undefined).toBe(exit === 0 || own !== recorded.text);
    if (made === undefined || exit !== 0) return;

    const members = membersOf(operation.step);
    const config = members.find(({ name }) => name === 'config.ign')?.config;
    const { ignition, keyfiles } = made.changes;
    expect(ignition === null ? undefined : meaning(JSON.parse(new TextDecoder().decode(ignition)))).toEqual(config);
    const network = members.filter(({ name }) => name.startsWith('etc/coreos-firstboot-network/'));
    const names = keyfiles.map(({ name }) => `etc/coreos-firstboot-network/${name}`);
    expect(names.sort()).toEqual(network.map(({ name }) => name));
    for (const { name, content } of keyfiles.filter((keyfile) => keyfile.content !== '')) {
      expect(network.find((member) => member.name.endsWith(`/${name}`))?.sha256).toBe(sha256(content));
    }
  });

  test.each(all.filter(({ step }) => step.expect.exit !== 0))(
    '$title returns an outcome with one error, and throws no exception',
    async ({ test: recorded, step }) => {
      const context = {
        ...imageOf(recorded, step),
        toKeyfiles: recordedKeyfiles(step),
        newer: 'refuse' as const,
        mode: 'compatible' as const,
      };
      if (/os error|kargs too large|Wrong input|Compressed|persisting/.test(step.expect.stderr.text)) return;
      const outcome = await customize(optionsOf(recorded, step), context);
      expect(outcome.ok).toBe(false);
      expect(outcome.diagnostics.filter(({ severity }) => severity === 'error')).toHaveLength(1);
    },
  );
});
