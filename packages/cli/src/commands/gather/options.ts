import type { Option } from '../../frame/usage.ts';
import { force, json } from '../shared-arguments.ts';

export const gatherOptions: readonly Option[] = [
  { name: 'output', short: 'o', value: 'FILE', help: 'Archive to write (default: gather-TIME.tar)' },
  { name: 'identity', short: 'i', value: 'FILE', help: 'SSH key of user core (default: those of ssh)' },
  { name: 'known-hosts', value: 'FILE', help: 'Accept only hosts whose keys are in FILE (default: any host key)' },
  force('Replace an archive that exists'),
  json,
];

export const GATHER_ABOUT =
  'Runs a script on all hosts at once over ssh, as user core with sudo, and writes one tar archive: HOST.tar.xz for each host, and hosts.json, which names hosts that failed and why. Secrets are masked on the host. Works on live systems and on nodes.\n\nHost keys are not checked, because a live system makes new ones at each boot. Nodes keep theirs: for them pass --known-hosts, and a host with another key is named and not asked.\n\nExit status: 0 all hosts gave their logs; 1 a host failed.';
