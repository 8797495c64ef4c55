import type { Action } from '../../../frame/command.ts';
import { gather } from '../../gather/gather.ts';
import { readHosts } from './planned-hosts.ts';

/** `coreiso nodes gather`. */
export const gatherNodes: Action = async (args, terminal) => {
  const hosts = await readHosts(args, terminal);
  if (hosts === undefined) return 1;
  const named = hosts.map(({ name, addresses, reachedAt }) => ({ name, address: reachedAt ?? addresses[0] }));
  return await gather(named, args, terminal);
};
