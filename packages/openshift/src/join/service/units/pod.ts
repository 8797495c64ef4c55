// The service: a pod of two containers, on one machine only.
import { systemdWord, type UnitValues } from './systemd-words.ts';

const SHARE = '/usr/local/share/assisted-service';
const IN_CONTAINER = '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem';

/** Settings of every container of the pod: its ID is in a file, it logs to the journal, and it replaces an earlier container of its name. */
export function inPod(name: string): string {
  return `/usr/bin/podman run --name=${name} --replace --cidfile=%t/%n.ctr-id --pod-id-file=%t/assisted-service-pod.pod-id --cgroups=no-conmon --log-driver=journald --authfile=/root/.docker/config.json`;
}

/** Steps after a container has ended, for any reason. */
export const REMOVED: string = `ExecStop=/usr/bin/podman stop --ignore --time=10 --cidfile=%t/%n.ctr-id
ExecStopPost=/usr/bin/podman rm --force --ignore --cidfile=%t/%n.ctr-id`;

export const FORGOTTEN = 'ExecStartPre=/usr/bin/rm -f %t/%n.ctr-id';

/** Mirrors and certificates, for containers that contact registries. */
export function registryMounts({ hasMirrors, caBundle }: UnitValues): string {
  const mirrors = hasMirrors ? ' --volume=/etc/containers:/etc/containers:z' : '';
  return `${mirrors} --volume=${systemdWord(`${caBundle}:${IN_CONTAINER}:z`)}`;
}

export function podUnits(values: UnitValues): Readonly<Record<string, string>> {
  return {
    'assisted-service-pod.service': `[Unit]
Description=Pod of the service that installs the cluster
Wants=network.target node-zero.service
After=network-online.target node-zero.service
ConditionPathExists=/etc/assisted/node0
Requires=assisted-service-db.service assisted-service.service
Before=assisted-service-db.service assisted-service.service

[Service]
Restart=on-failure
TimeoutStartSec=500
TimeoutStopSec=70
RestartSec=10
PIDFile=%t/%n.pid
Type=forking
ExecStartPre=/usr/local/bin/release-image-download.sh
ExecStartPre=/usr/local/bin/get-container-images.sh
ExecStartPre=/usr/bin/rm -f %t/%n.pid %t/assisted-service-pod.pod-id
ExecStartPre=/usr/bin/podman pod create --name=assisted-service --replace --network=host --infra-conmon-pidfile=%t/%n.pid --pod-id-file=%t/assisted-service-pod.pod-id
ExecStart=/usr/bin/podman pod start --pod-id-file=%t/assisted-service-pod.pod-id
ExecStop=/usr/bin/podman pod stop --ignore --time=10 --pod-id-file=%t/assisted-service-pod.pod-id
ExecStopPost=/usr/bin/podman pod rm --force --ignore --pod-id-file=%t/assisted-service-pod.pod-id

[Install]
WantedBy=multi-user.target
`,
    'assisted-service-db.service': `[Unit]
Description=Database of the service that installs the cluster
Wants=network.target
BindsTo=assisted-service-pod.service
After=network-online.target assisted-service-pod.service

[Service]
EnvironmentFile=${SHARE}/agent-images.env
Restart=on-failure
TimeoutStartSec=500
TimeoutStopSec=300
Type=notify
${FORGOTTEN}
ExecStart=${inPod('assisted-db')} --rm --detach --sdnotify=conmon --user=postgres --env-file=${SHARE}/assisted-db.env $SERVICE_IMAGE /bin/bash start_db.sh
${REMOVED}

[Install]
WantedBy=multi-user.target
`,
    'assisted-service.service': `[Unit]
Description=Service that installs the cluster
Wants=network.target
Requires=assisted-service-db.service
BindsTo=assisted-service-pod.service
After=network-online.target assisted-service-pod.service

[Service]
EnvironmentFile=${SHARE}/agent-images.env
Restart=on-failure
TimeoutStartSec=500
TimeoutStopSec=300
Type=notify
ExecStartPre=/usr/local/bin/configure-assisted-hw-requirements.sh
${FORGOTTEN}
ExecStart=${inPod('service')} --rm --detach --sdnotify=conmon --env-file=/etc/assisted/rendezvous-host.env --env-file=${SHARE}/assisted-service.env --env-file=${SHARE}/images.env --env-file=/etc/assisted/node0 --env-file=${SHARE}/agent-images.env --volume=/opt/agent/tls:/opt/agent/tls:z${registryMounts(values)} $SERVICE_IMAGE
${REMOVED}

[Install]
WantedBy=multi-user.target
`,
  };
}
