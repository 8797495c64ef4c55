import { type BootFacts, destinations } from './boot-checks.ts';
import type { Customization, NamedInput } from './options.ts';

/** The steps of the image at boot, in one phrase: `boots live, overwrites /dev/sda, reboots into the installed system`. */
export function describeBoot(facts: BootFacts, changes: Customization['changes'], target: 'iso' | 'pxe'): string {
  const { options } = facts;
  const steps = [target === 'iso' ? 'boots live' : 'boots live from the network'];
  if (changes.kargs !== undefined) steps.push('starts with changed kernel arguments');
  if (changes.keyfiles.length > 0) {
    steps.push(`configures the network from ${changes.keyfiles.map(({ name }) => name).join(' and ')}`);
  }
  if (options.ignitionCa?.length) steps.push(`trusts ${names(options.ignitionCa)} when Ignition fetches`);
  if (options.liveIgnition?.length) steps.push(`applies ${names(options.liveIgnition)}`);
  steps.push(...(facts.runsInstaller ? installSteps(facts, changes) : liveSteps(changes, target)));
  return steps.join(', ');
}

function installSteps(facts: BootFacts, changes: Customization['changes']): string[] {
  const { options } = facts;
  const [destination, another] = destinations(facts);
  const steps = facts.scripts.filter(({ stage }) => stage === 'pre').map(({ name }) => `runs ${name}`);
  if (destination === undefined || another !== undefined) {
    return [
      ...steps,
      `runs the installer, which stops because ${destination ? 'two destinations are' : 'no destination is'} named`,
    ];
  }
  steps.push(`overwrites ${destination.device}`);
  steps.push(...facts.scripts.filter(({ stage }) => stage === 'post').map(({ name }) => `runs ${name}`));
  const stays = options.liveKargAppend?.some((karg) => karg.trim() === 'coreos.inst.skip_reboot');
  const installed = stays ? 'stays in the live system' : 'reboots into the installed system';
  const traits = [
    options.destIgnition?.length ? `configured by ${names(options.destIgnition)}` : '',
    changes.keyfiles.length > 0 ? 'with the same network' : '',
  ].filter((trait) => trait !== '' && !stays);
  return [...steps, [installed, ...traits].join(' ')];
}

function liveSteps(changes: Customization['changes'], target: 'iso' | 'pxe'): string[] {
  // Any embedded config disables autologin on the console; network boots never have autologin.
  return [changes.ignition === null && target === 'iso' ? 'logs in on the console' : 'stays in the live system'];
}

function names(inputs: readonly NamedInput[]): string {
  return inputs.map(({ name }) => name).join(' and ');
}
