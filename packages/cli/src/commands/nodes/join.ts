import { JOINS } from '@coreiso/openshift';
import type { Option } from '../../frame/usage.ts';

const names = JOINS.map(({ name }) => name);

/** How nodes join. */
export const join: Option = {
  name: 'join',
  value: 'HOW',
  choices: names,
  help: `One of ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`,
};

/** What each way is, for the details of a command. */
export const joinDetails: string = `--join ${JOINS.map(({ name, summary }) => `${name} ${summary}`).join('; ')}.`;

/** Whether an option of plans means something to the way of joining that was asked for. */
export function joinTakes(how: string | undefined, option: (typeof JOINS)[number]['takes'][number]): boolean {
  return JOINS.some(({ name, takes }) => name === how && takes.includes(option));
}
