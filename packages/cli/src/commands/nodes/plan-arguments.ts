// Options of commands about plans, without the code that makes plans: every start of `coreiso nodes` reads the options.
import { JOINS } from '@coreiso/openshift';
import type { Option } from '../../frame/usage.ts';

const names = JOINS.map(({ name }) => name);

/** The option that selects how nodes join. */
const join: Option = {
  name: 'join',
  value: 'HOW',
  choices: names,
  help: `One of ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`,
};

/** The join strategies, for the details of a command. */
export const joinDetails: string = `--join ${JOINS.map(({ name, summary }) => `${name} ${summary}`).join('; ')}.`;

/** Whether an option of plans applies to the requested join. */
export function joinTakes(how: string | undefined, option: (typeof JOINS)[number]['takes'][number]): boolean {
  return JOINS.some(({ name, takes }) => name === how && takes.includes(option));
}

/** Options of a plan. */
export const planArguments: readonly Option[] = [
  join,
  {
    name: 'auth-token',
    value: 'FILE',
    rare: true,
    help: 'For --join service without --live: Secret openshift-config/agent-auth-token, as oc prints it',
  },
  {
    name: 'valid-for',
    value: 'TIME',
    check: (text) => void milliseconds(text),
    help: 'How long it can install: 90m, 7d (default: 48h)',
  },
  {
    name: 'valid-until',
    value: 'DATE',
    conflicts: ['valid-for'],
    check: (text) => void instant(text),
    rare: true,
    help: 'When it stops installing: 2030-01-31T12:00:00Z; equal times make equal images',
  },
  {
    name: 'password-hash-file',
    value: 'FILE',
    rare: true,
    help: 'Password hash of user core on the console of the live system (openssl passwd -6)',
  },
];

/** Options for the config of single hosts. */
export const hostIgnition: Option = {
  name: 'host-ignition',
  value: 'HOST=FILE',
  repeatable: true,
  rare: true,
  check: (text) => void hostFile(text),
  help: 'Ignition config to merge into that of a worker, such as one of nodes advise --manifests; for --join direct',
};

/** Option for a file with the token of the port on which machines report their progress. */
export const statusTokenFile: Option = {
  name: 'status-token-file',
  value: 'FILE',
  rare: true,
  help: 'Token of the status port (default: a new one); equal tokens make equal images',
};

/** Turns off the progress report of machines that install themselves. */
export const noStatus: Option = {
  name: 'no-status',
  conflicts: ['status-token-file'],
  rare: true,
  help: 'Build without the status port that nodes monitor reads',
};

/** Parses `HOST=FILE`; throws for any other text. */
export function hostFile(text: string): readonly [host: string, file: string] {
  const [, host = '', file = ''] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (host === '') throw new Error('expected HOST=FILE, such as far-0=ignition-override-far-0.ign');
  return [host, file];
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses `90m`, `12h` or `7d` as milliseconds; throws for any other text. */
export function milliseconds(text: string): number {
  const [, count = '', unit = ''] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? [];
  const size = UNITS[unit];
  if (size === undefined) throw new Error('expected minutes, hours or days, such as 90m, 12h or 7d');
  return Number(count) * size;
}

/** Parses a time with its zone; throws for any other text. */
export function instant(text: string): Date {
  const date = new Date(/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : Number.NaN);
  if (Number.isNaN(date.getTime())) throw new Error('expected a time with its zone, such as 2030-01-31T12:00:00Z');
  return date;
}
