import type { Option } from '../usage.ts';

/** For commands that judge files. */
export const fixOptions: readonly Option[] = [
  {
    name: 'fix',
    variants: ['all'],
    help: 'Mend what cannot be meant otherwise; with =all, take the first way out of each finding',
  },
  { name: 'yes', short: 'y', help: 'Apply fixes without asking' },
];
