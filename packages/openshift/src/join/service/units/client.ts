// The steps of an installation: each sends the next order to the service, on the machine where it runs.
import { FORGOTTEN, inPod, REMOVED, registryMounts } from './pod.ts';
import { systemdWord, type UnitValues } from './systemd-words.ts';

const SHARE = '/usr/local/share/assisted-service';

const CLIENT_SETTINGS = `EnvironmentFile=/etc/assisted/rendezvous-host.env
EnvironmentFile=${SHARE}/agent-images.env
EnvironmentFile=${SHARE}/assisted-service.env`;

/** Containers receive values by the names of variables: no secret is on a command line. */
function client(name: string, names: readonly string[], mounts: string, step: string, flags = '--rm'): string {
  const environment = names.map((variable) => ` --env=${variable}`).join('');
  const awaited = step === 'registerInfraEnv' ? ' with-cluster' : '';
  return `ExecStartPre=/usr/local/bin/wait-for-assisted-service.sh${awaited}
${FORGOTTEN}
ExecStart=${inPod(name)} ${flags}${environment}${mounts} $SERVICE_IMAGE /usr/local/bin/agent-installer-client ${step}
${REMOVED}`;
}

const MANIFESTS = ' --volume=/etc/assisted/manifests:/manifests:z';
const EXTRA_MANIFESTS = ' --volume=/etc/assisted/extra-manifests:/extra-manifests:z';

export function clientUnits(values: UnitValues): Readonly<Record<string, string>> {
  const mirrorName = 'OPENSHIFT_INSTALL_RELEASE_IMAGE_MIRROR';
  const { releaseImageMirror } = values;
  const mirror = releaseImageMirror === undefined ? mirrorName : systemdWord(`${mirrorName}=${releaseImageMirror}`);
  const files = `${MANIFESTS}${EXTRA_MANIFESTS}${registryMounts(values)}`;
  return {
    'agent-register-cluster.service': `[Unit]
Description=Register the cluster at the service
Wants=network-online.target assisted-service.service
Conflicts=agent-import-cluster.service
PartOf=assisted-service-pod.service
After=network-online.target assisted-service.service
ConditionPathExists=/etc/assisted/node0
ConditionPathExists=!/etc/assisted/add-nodes.env
ConditionPathExists=!/etc/assisted/interactive-ui

[Service]
${CLIENT_SETTINGS}
KillMode=mixed
Type=oneshot
Restart=on-failure
RestartSec=30
RemainAfterExit=true
${client('agent-register-cluster', ['SERVICE_BASE_URL', mirror, 'USER_AUTH_TOKEN'], files, 'registerCluster')}

[Install]
WantedBy=start-cluster-installation.service
`,
    'agent-import-cluster.service': `[Unit]
Description=Make the cluster known to the service
Wants=network-online.target assisted-service.service
Conflicts=agent-register-cluster.service
PartOf=assisted-service-pod.service
After=network-online.target assisted-service.service
ConditionPathExists=/etc/assisted/node0
ConditionPathExists=/etc/assisted/add-nodes.env

[Service]
${CLIENT_SETTINGS}
EnvironmentFile=/etc/assisted/add-nodes.env
KillMode=mixed
Type=oneshot
Restart=on-failure
RestartSec=30
RemainAfterExit=true
${client(
  'agent-import-cluster',
  ['SERVICE_BASE_URL', mirror, 'CLUSTER_ID', 'CLUSTER_NAME', 'CLUSTER_API_VIP_DNS_NAME', 'USER_AUTH_TOKEN'],
  ` --volume=/etc/assisted/clusterconfig:/clusterconfig:z${files}`,
  'importCluster',
)}

[Install]
WantedBy=agent-add-node.service
`,
    'agent-register-infraenv.service': `[Unit]
Description=Register at the service how its machines are
Wants=network-online.target assisted-service.service
PartOf=assisted-service-pod.service
After=network-online.target assisted-service.service agent-register-cluster.service agent-import-cluster.service
ConditionPathExists=/etc/assisted/node0

[Service]
${CLIENT_SETTINGS}
KillMode=mixed
Type=oneshot
Restart=on-failure
RestartSec=30
RemainAfterExit=true
${client('agent-register-infraenv', ['SERVICE_BASE_URL', `IMAGE_TYPE_ISO=${values.imageType}`, 'USER_AUTH_TOKEN'], MANIFESTS, 'registerInfraEnv')}

[Install]
WantedBy=start-cluster-installation.service agent-add-node.service agent-ui.service
`,
    'apply-host-config.service': `[Unit]
Description=Tell the service the roles and disks of machines
Wants=network-online.target
Requires=agent-register-infraenv.service
PartOf=assisted-service-pod.service
After=network-online.target agent-register-infraenv.service
ConditionPathExists=/etc/assisted/node0
ConditionPathExists=!/etc/assisted/interactive-ui

[Service]
${CLIENT_SETTINGS}
KillMode=mixed
Type=oneshot
RemainAfterExit=true
ExecStartPre=/usr/bin/mkdir -p /etc/assisted/hostconfig %t/agent-installer
${client(
  'apply-host-config',
  ['SERVICE_BASE_URL', 'INFRA_ENV_ID', 'WORKFLOW_TYPE', 'USER_AUTH_TOKEN'],
  ' --volume=/etc/assisted/hostconfig:/etc/assisted/hostconfig:z --volume=%t/agent-installer:/var/run/agent-installer:z',
  'configure',
  '--restart=on-failure:10',
)}

[Install]
WantedBy=start-cluster-installation.service agent-add-node.service
`,
    'start-cluster-installation.service': `[Unit]
Description=Start the installation of the cluster
Wants=network-online.target
Requires=apply-host-config.service
Conflicts=agent-add-node.service
PartOf=assisted-service-pod.service
After=network-online.target apply-host-config.service
ConditionPathExists=/etc/assisted/node0
ConditionPathExists=!/etc/assisted/add-nodes.env

[Service]
EnvironmentFile=${SHARE}/assisted-service.env
EnvironmentFile=/usr/local/share/start-cluster/start-cluster.env
EnvironmentFile=/etc/assisted/rendezvous-host.env
Type=oneshot
RemainAfterExit=true
ExecStart=/usr/local/bin/start-cluster-installation.sh

[Install]
WantedBy=multi-user.target
`,
    'agent-add-node.service': `[Unit]
Description=Start the installation of this machine
Wants=network-online.target
Requires=apply-host-config.service
Conflicts=start-cluster-installation.service
PartOf=assisted-service-pod.service
After=network-online.target apply-host-config.service
ConditionPathExists=/etc/assisted/node0
ConditionPathExists=/etc/assisted/add-nodes.env

[Service]
EnvironmentFile=${SHARE}/assisted-service.env
EnvironmentFile=/usr/local/share/start-cluster/start-cluster.env
EnvironmentFile=/etc/assisted/rendezvous-host.env
Type=oneshot
RemainAfterExit=true
ExecStart=/usr/local/bin/add-node.sh

[Install]
WantedBy=multi-user.target
`,
  };
}
