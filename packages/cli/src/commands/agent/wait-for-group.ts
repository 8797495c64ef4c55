import type { Group } from '../../frame/command.ts';
import type { Option } from '../../frame/usage.ts';
import { showSecrets } from '../shared-arguments.ts';

const waitOptions: readonly Option[] = [
  { name: 'dir', value: 'DIR', help: 'Directory that the image was made in (default: .)' },
  {
    name: 'log-level',
    value: 'LEVEL',
    check: level,
    help: 'Least important messages to show: debug, info, warn or error (default: info)',
  },
  { name: 'json', help: 'Print one JSON object per line' },
  {
    name: 'token-file',
    value: 'FILE',
    help: 'User token of the image, which fetches the logs of the hosts if the installation fails (default: of the state file)',
  },
  {
    name: 'address',
    value: 'IP[:PORT]',
    check: address,
    help: 'Address of the rendezvous host (default: that in rendezvousIP)',
  },
  { name: 'compatible', help: 'Print and wait exactly as openshift-install does' },
];

const WAIT_HELP = `Reads rendezvousIP, auth/kubeconfig and the state file of the directory. Asks the service on the rendezvous host and the API of the new cluster until one of them says how it ended. Names planned hosts that never register. Stops when all of them have registered and the same validations have failed for five minutes.

Exit status: 0 complete, 5 the bootstrap failed, 6 the cluster did not initialise, 7 its operators did not settle, 8 interrupted, 1 anything else.`;

/** Commands that wait for a new cluster. */
export const waitForGroup: Group = {
  kind: 'group',
  name: 'wait-for',
  summary: 'Wait for the installation of a new cluster',
  commands: [
    {
      kind: 'command',
      name: 'bootstrap-complete',
      summary: 'Wait until the bootstrap of the new cluster is complete',
      about: WAIT_HELP,
      options: waitOptions,
      examples: ['coreiso agent wait-for bootstrap-complete --dir site --log-level debug'],
      load: async () => (await import('./wait-for.ts')).bootstrapComplete,
    },
    {
      kind: 'command',
      name: 'install-complete',
      summary: 'Wait until the new cluster is installed, and print how to log in',
      about: WAIT_HELP,
      options: [...waitOptions, { ...showSecrets, help: 'Include the password of the administrator in the JSON' }],
      examples: [
        'coreiso agent wait-for install-complete --dir site',
        'coreiso agent wait-for install-complete --dir site --json --show-secrets | jq .fact',
      ],
      load: async () => (await import('./wait-for.ts')).installComplete,
    },
  ],
};

async function address(text: string): Promise<void> {
  const { canonicalAddress } = await import('@coreiso/peers/ip');
  const host = /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([^:]+):\d+$/.exec(text)?.[1] ?? text;
  if (canonicalAddress(host) === undefined) throw new Error('expected an IP address, with a port if it is not 8090');
}

function level(text: string): void {
  if (!/^(?:trace|debug|info|warn|warning|error)$/.test(text))
    throw new Error('expected one of debug, info, warn, error');
}
