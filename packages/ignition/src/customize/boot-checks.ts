/**
 * Checks for settings that coreos-installer accepts but that fail at boot. The reasons come from runs of the installer with such
 * settings. Facts that only the machine has (whether the disk exists) are not checked.
 */

import type { Path, Range } from '@coreiso/diagnostics';
import type { Code } from '../codes.ts';
import { validate } from '../validate/validate.ts';
import type { ScriptStage } from './install-script.ts';
import type { InstallerValues } from './installer-config.ts';
import type { Customization, CustomizeOptions } from './options.ts';

/** The facts about a customisation for the checks and the description. */
export interface BootFacts {
  readonly options: CustomizeOptions;
  readonly userConfigs: { readonly name: string; readonly bytes: Uint8Array }[];
  readonly scripts: { readonly stage: ScriptStage; readonly name: string; readonly content: Uint8Array }[];
  readonly installerConfigs: { readonly name: string; readonly settings: InstallerValues }[];
  runsInstaller: boolean;
}

export interface BootProblem {
  readonly code: Code;
  readonly message: string;
  readonly help: string;
  readonly path?: Path;
  readonly range?: Range | undefined;
}

const INSTALL_KARG = 'coreos.inst.install_dev=';
/** Without these the live system does not run Ignition, or not with the embedded config. */
const IGNITION_KARGS: readonly string[] = ['ignition.firstboot', 'ignition.platform.id=metal'];

export function bootProblems(facts: BootFacts, changes: Customization['changes']): BootProblem[] {
  return [
    ...facts.userConfigs.flatMap(configProblems),
    ...destinationProblems(facts),
    ...conflictProblems(facts),
    ...dashProblems(facts),
    ...scriptProblems(facts),
    ...kargProblems(facts, changes),
  ];
}

/** Upstream checks only the types of a config; Ignition checks the rest at boot, and an error stops the boot. */
function configProblems({ name, bytes }: BootFacts['userConfigs'][number]): BootProblem[] {
  return validate(bytes)
    .diagnostics.filter(({ severity }) => severity === 'error')
    .map(({ message, path, range }) => ({
      code: 'config-refused-at-boot',
      message: `Ignition will refuse ${name}: ${message}`,
      help: 'Correct the config.',
      path,
      range,
    }));
}

/** The disks in the settings of the installer, each with the setting that names it. */
export function destinations({ options, installerConfigs }: BootFacts): { device: string; from: string }[] {
  const named = installerConfigs.flatMap(({ name, settings }) => {
    const device = settings.get('dest-device');
    return typeof device === 'string' ? [{ device, from: name }] : [];
  });
  const kargs = (options.liveKargAppend ?? [])
    .flatMap((karg) => karg.split(/\s+/))
    .filter((karg) => karg.startsWith(INSTALL_KARG))
    .map((karg) => ({ device: karg.slice(INSTALL_KARG.length), from: 'the kernel arguments' }));
  const own = options.destDevice === undefined ? [] : [{ device: options.destDevice, from: 'destDevice' }];
  return [...named, ...own, ...kargs];
}

function destinationProblems(facts: BootFacts): BootProblem[] {
  if (!facts.runsInstaller) return [];
  const [first, second] = destinations(facts);
  if (first === undefined) {
    return [
      {
        code: 'no-destination-device',
        message: 'the installer will run at boot but has no destination device, and stops',
        help: 'Name the disk with destDevice, or with dest-device in an installer config.',
      },
    ];
  }
  if (second !== undefined) {
    return [
      {
        code: 'two-destination-devices',
        message: `the installer refuses two destination devices: ${first.device} (${first.from}) and ${second.device} (${second.from})`,
        help: 'Name the disk in one place only.',
      },
    ];
  }
  if (first.device.startsWith('/') || first.from === 'the kernel arguments') return [];
  return [
    {
      code: 'destination-not-a-path',
      message: `the destination device ${first.device} is not a path, and the installer will not find it`,
      help: `Write the whole path, such as /dev/${first.device}.`,
    },
  ];
}

const EXCLUSIVE: readonly (readonly string[])[] = [
  ['stream', 'image-url', 'image-file'],
  ['ignition-file', 'ignition-url'],
];

function conflictProblems({ options, installerConfigs }: BootFacts): BootProblem[] {
  const set = new Map<string, string>(
    installerConfigs.flatMap(({ name, settings }) => [...settings.keys()].map((key) => [key, name])),
  );
  if ((options.destIgnition ?? []).length > 0) set.set('ignition-file', 'destIgnition');
  return EXCLUSIVE.flatMap((keys) => {
    const [one, other] = keys.filter((key) => set.has(key));
    if (one === undefined || other === undefined) return [];
    return [
      {
        code: 'conflicting-installer-settings',
        message: `the installer refuses ${one} (${set.get(one)}) together with ${other} (${set.get(other)})`,
        help: 'Keep one of the two.',
      },
    ];
  });
}

/** Finds settings with a leading dash: the installer makes command-line arguments of its settings, so that they become options. */
function dashProblems({ options, installerConfigs }: BootFacts): BootProblem[] {
  const values = [
    ...[options.destDevice ?? ''].map((value) => ['destDevice', value] as const),
    ...(options.destKargAppend ?? []).map((value) => ['destKargAppend', value] as const),
    ...(options.destKargDelete ?? []).map((value) => ['destKargDelete', value] as const),
    ...installerConfigs.flatMap(({ settings }) =>
      [...settings]
        .filter(([key]) => key !== 'save-partindex')
        .flatMap(([key, value]) =>
          typeof value === 'boolean' ? [] : [value].flat().map((each) => [key, each] as const),
        ),
    ),
  ];
  return values
    .filter(([, value]) => /^-./.test(value))
    .map(([key, value]) => ({
      code: 'value-with-leading-dash',
      message: `the installer reads the value ${value} of ${key} as an option, and stops`,
      help: 'Remove the leading dash.',
    }));
}

function scriptProblems({ scripts, runsInstaller, options }: BootFacts): BootProblem[] {
  const problems: BootProblem[] = [];
  const startedByKarg = (options.liveKargAppend ?? []).some((karg) => karg.includes(INSTALL_KARG));
  const [first] = scripts;
  if (first !== undefined && !runsInstaller && !startedByKarg && (options.liveIgnition ?? []).length === 0) {
    problems.push({
      code: 'scripts-never-run',
      message: `nothing starts the installer, so the ${first.stage}-install script ${first.name} never runs`,
      help: 'Name a destination device, or drop the script.',
    });
  }
  for (const { stage, name, content } of scripts) {
    if (!/^[A-Za-z0-9:_.@-]+$/.test(name)) {
      problems.push({
        code: 'script-name-breaks-unit',
        message: `systemd cannot run the ${stage}-install script ${name}: its name is invalid in a unit`,
        help: 'Rename it to letters, digits, dots, dashes and underscores.',
      });
    } else if (!isExecutable(content)) {
      problems.push({
        code: 'script-not-executable',
        message: `the ${stage}-install script ${name} starts with neither #! nor an ELF header, so it fails and the installation with it`,
        help: 'Start it with a line such as #!/bin/bash.',
      });
    }
  }
  return problems;
}

function isExecutable(content: Uint8Array): boolean {
  const [a, b, c, d] = content;
  return (a === 0x23 && b === 0x21) || (a === 0x7f && b === 0x45 && c === 0x4c && d === 0x46);
}

function kargProblems({ options }: BootFacts, changes: Customization['changes']): BootProblem[] {
  if (changes.ignition === null) return [];
  const deleted = (options.liveKargDelete ?? []).flatMap((karg) => karg.trim().split(/\s+/));
  const appended = (options.liveKargAppend ?? []).flatMap((karg) => karg.trim().split(/\s+/));
  return IGNITION_KARGS.filter((karg) => deleted.includes(karg) && !appended.includes(karg)).map((karg) => ({
    code: 'config-disabled-by-kargs',
    message: `without the kernel argument ${karg} the live system ignores the embedded config`,
    help: `Do not delete ${karg}.`,
  }));
}
