import type { Option } from '../usage.ts';

/** Options of commands that check files. */
export const fixOptions: readonly Option[] = [
  {
    name: 'fix',
    variants: ['all'],
    help: 'Apply fixes that are safe; with =all, the first fix of each finding',
  },
  { name: 'yes', short: 'y', help: 'Apply fixes without asking' },
];
