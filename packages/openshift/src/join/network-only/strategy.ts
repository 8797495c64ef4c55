// A live system with its network and its name only.
import { bootSentence, type JoinStrategy } from '../strategy.ts';

export const networkOnly: JoinStrategy = {
  outcome: 'Machines that boot it get their network and their name; they install nothing.',
  facts: [],

  boots: (_, host) => ({
    first: `${bootSentence(host)}; nothing is installed`,
    second: 'the same, if it boots the image again: nothing of the first boot is kept',
    later: 'the same',
  }),
};
