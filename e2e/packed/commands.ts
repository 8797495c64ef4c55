import { commandTree } from '../../packages/cli/src/commands/tree.ts';
import { commandsOf, type Group } from '../../packages/cli/src/frame/command.ts';

/** Every command, by the words it is called with. */
export const everyCommand: readonly string[] = await namesOf(commandTree, '');

async function namesOf(group: Group, words: string): Promise<string[]> {
  const names = (await commandsOf(group)).map(async (one) =>
    one.kind === 'group' ? await namesOf(one, `${words}${one.name} `) : [`${words}${one.name}`],
  );
  return (await Promise.all(names)).flat();
}

/** A command line that works, to be run by a shell in a folder with the inputs, or one that fails with this status. */
type Try = string | readonly [line: string, status: number];

/** One for each command; those that need the optional xz peer say so. */
export const TRIES: Readonly<Record<string, Try>> = {
  completion: 'completion bash',
  complete: 'complete fish -- nodes im',
  man: 'man nodes image',
  'iso customize': 'iso customize --dest-device /dev/sda --network-nmstate bond.yaml -o out.iso rhcos-live.iso',
  'iso ignition embed': 'iso ignition embed -i worker.ign rhcos-live.iso',
  'iso ignition show': ['iso ignition show rhcos-live.iso', 1],
  'iso ignition remove': 'iso ignition remove rhcos-live.iso',
  'iso network embed': 'iso network embed -k eno1.nmconnection rhcos-live.iso',
  'iso network extract': ['iso network extract rhcos-live.iso', 1],
  'iso network remove': 'iso network remove rhcos-live.iso',
  'iso kargs modify': 'iso kargs modify -a console=ttyS0 rhcos-live.iso',
  'iso kargs reset': 'iso kargs reset rhcos-live.iso',
  'iso kargs show': 'iso kargs show rhcos-live.iso',
  'iso extract pxe': 'iso extract pxe -o pxe rhcos-live.iso',
  'iso extract minimal-iso': 'iso extract minimal-iso rhcos-live.iso minimal.iso',
  'iso reset': 'iso reset rhcos-live.iso',
  'iso embed': 'iso embed -c worker.ign rhcos-live.iso',
  'iso show': ['iso show rhcos-live.iso', 1],
  'iso remove': 'iso remove rhcos-live.iso',
  'iso inspect': 'iso inspect rhcos-live.iso',
  'iso diff': 'iso diff rhcos-live.iso rhcos-live.iso',
  'iso verify': 'iso verify rhcos-live.iso',
  'iso ls': 'iso ls any.iso',
  'iso cat': 'iso cat rhcos-live.iso /coreos/kargs.json',
  'pxe customize': ['pxe customize --dest-device /dev/sda -o out.img worker.ign', 1],
  'pxe ignition wrap': 'pxe ignition wrap -i worker.ign -o wrapped.img',
  'pxe ignition unwrap': ['pxe ignition unwrap worker.ign', 1],
  'pxe network wrap': 'pxe network wrap -k eno1.nmconnection -o wrapped.img',
  'pxe network unwrap': ['pxe network unwrap worker.ign', 1],
  'ignition validate': 'ignition validate worker.ign',
  'ignition merge': 'ignition merge base.ign worker.ign',
  'ignition translate': 'ignition translate --to 3.5.0 worker.ign',
  'ignition show': 'ignition show worker.ign',
  'nmstate gc': 'nmstate gc bond.yaml',
  'nmstate validate': 'nmstate validate bond.yaml',
  'nmstate check': 'nmstate check bond.yaml',
  'nodes template': 'nodes template',
  'agent template': 'agent template --dir new-site',
  'ztp template': 'ztp template -o hub-site.yaml',
  'nmstate template': 'nmstate template',
  'nodes validate': 'nodes validate --cluster cluster.json',
  'nodes plan': 'nodes plan --cluster cluster.json',
  'nodes advise': 'nodes advise --cluster cluster.json --manifests advice',
  'nodes ignition': 'nodes ignition --cluster cluster.json --host worker-0',
  'nodes shard': 'nodes shard --name far --domain apps-far.example.test --node-label a=b --route-label site=far',
  'nodes haproxy': 'nodes haproxy --domain apps-far.example.test --node far-0=198.51.100.7',
  'nodes simulate': 'nodes simulate --mac 52:54:00:00:00:20',
  'nodes facts': 'nodes facts --sample',
  'nodes monitor': ['nodes monitor', 1],
  'nodes approve': ['nodes approve', 1],
  'nodes gather': ['nodes gather --address nobody=192.0.2.1', 1],
  'agent validate': 'agent validate --openshift-version 4.20.3 --release-image quay.example.test/ocp:4.20.3',
  'agent create cluster-manifests':
    'agent create cluster-manifests --release-image quay.example.test/ocp:4.20.3-x86_64',
  'agent create image': 'agent create image --base rhcos-live.iso --release-image quay.example.test/ocp:4.20.3-x86_64',
  'agent create pxe-files': [
    'agent create pxe-files --base nothing.iso --release-image quay.example.test/ocp:4.20.3-x86_64',
    1,
  ],
  'agent create config-image': 'agent create config-image --release-image quay.example.test/ocp:4.20.3-x86_64',
  'agent create unconfigured-ignition': [
    'agent create unconfigured-ignition --release-image quay.example.test/ocp:4.20.3-x86_64',
    1,
  ],
  'agent create certificates': 'agent create certificates --dir secrets',
  'agent gather': ['agent gather --address nobody=192.0.2.1', 1],
  'agent graph': 'agent graph',
  'agent create agent-config-template': 'agent create agent-config-template --dir template',
  'agent plan': 'agent plan',
  'ztp render': 'ztp render site.yaml -o hub',
  'agent topology': 'agent topology --control-plane 1 --workers 0 --platform none',
  'agent wait-for bootstrap-complete': ['agent wait-for bootstrap-complete', 1],
  'agent wait-for install-complete': ['agent wait-for install-complete', 1],
  'iso recover': 'iso recover rhcos-live.iso',
  'nodes image': 'nodes image --base rhcos-live.iso --cluster cluster.json',
  'fleet status': ['fleet status s3:///', 2],
  'fleet prune': ['fleet prune s3:///', 2],
  'nodes serve': ['nodes serve --base nothing.iso', 1],
  'base list': 'base list --cache-dir cache',
  'base fetch': ['base fetch --cache-dir cache release:nothing', 1],
  'base verify': [`base verify --sha256 ${'0'.repeat(64)} rhcos-live.iso`, 1],
  serve: ['serve nothing.iso', 1],
  'sample-iso': 'sample-iso sample.iso',
  'pack osmet': ['pack osmet --output a --checksum b --description c /dev/null', 1],
  'pack minimal-iso': ['pack minimal-iso rhcos-live.iso any.iso', 1],
  'dev show iso': 'dev show iso any.iso',
  'dev show initrd': ['dev show initrd worker.ign', 1],
  'dev show fiemap': ['dev show fiemap any.iso', 1],
  'dev extract initrd': ['dev extract initrd worker.ign', 1],
};
