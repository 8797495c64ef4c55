// The units of a live system. Each may be enabled anywhere: without its files it does nothing.

/** Before NetworkManager, and after udev has given the interfaces their names. */
const EARLY = `DefaultDependencies=no
Wants=systemd-udev-settle.service network-pre.target
After=local-fs.target systemd-udev-settle.service
Before=network-pre.target NetworkManager.service shutdown.target
Conflicts=shutdown.target`;

/** Orders a unit after the identification of the machine as a host. */
const IDENTIFIED = `Wants=coreiso-host.service
After=coreiso-host.service`;

/** Output of scripts also goes to the console: a person at the machine has no journal. */
const service = (script: string, type: 'oneshot' | 'simple'): string => `[Service]
Type=${type}
RemainAfterExit=yes
ExecStart=/usr/local/bin/${script}
StandardOutput=journal+console
StandardError=inherit`;

const INSTALL = `[Install]
WantedBy=multi-user.target
`;

export const HOST_UNIT: string = `[Unit]
Description=Find out which host of the plan this machine is
ConditionPathExists=/etc/coreiso/hosts
${EARLY}

${service('coreiso-host', 'oneshot')}
TimeoutStartSec=300

${INSTALL}`;

export const NETWORK_UNIT: string = `[Unit]
Description=Choose the network profiles of this machine
ConditionPathExists=/etc/assisted/network
${EARLY}
${IDENTIFIED}

${service('coreiso-network', 'oneshot')}
TimeoutStartSec=300

${INSTALL}`;

export const HOSTNAME_UNIT: string = `[Unit]
Description=Set the host name of this machine
ConditionPathExists=/etc/coreiso/hosts
${EARLY}
${IDENTIFIED}

${service('coreiso-hostname', 'oneshot')}
TimeoutStartSec=60

${INSTALL}`;

/**
 * Runs only on a live system: the disk it writes may be the one that an installed system runs from. RAID and LVM on the disks must
 * not be started; the unit that prevents it orders itself before udev. A retry cannot help after statuses 3 and 4. Not a oneshot:
 * systemd before 244 refuses to load a oneshot that restarts.
 */
export const JOIN_UNIT: string = `[Unit]
Description=Install this machine as a worker of the cluster
ConditionPathExists=/run/ostree-live
Wants=network-online.target coreos-installer-disable-device-auto-activation.service
After=network-online.target coreiso-hostname.service chronyd.service coreos-update-ca-trust.service multipathd.service
${IDENTIFIED}
StartLimitIntervalSec=0

${service('coreiso-join', 'simple')}
Restart=on-failure
RestartSec=60
RestartPreventExitStatus=3 4

${INSTALL}`;

/**
 * Port of the status of live systems; images of the installer use it for their service.
 *
 * @example await fetch(`http://192.0.2.10:${STATUS_PORT}/status`, { headers: { authorization: `Bearer ${statusToken}` } })
 */
export const STATUS_PORT = 8090;

/** The status before the first check: the members of the join script's status. */
const STARTING =
  '{"version":1,"stage":"starting","progress":null,"updated":null,"host":null,"hostname":null,"expires":null,"disk":null,"reason":null,"error":null,"checks":[]}';

/** Runs only on a live system. The port opens again however many requests arrive: systemd would close it permanently after 200 in 2 s. */
export const STATUS_SOCKET: string = `[Unit]
Description=Port on which this machine tells how far it is
ConditionPathExists=/run/ostree-live

[Socket]
ListenStream=${STATUS_PORT}
BindIPv6Only=both
Accept=yes
MaxConnections=8
TriggerLimitIntervalSec=0

[Install]
WantedBy=sockets.target
`;

/**
 * One process per connection, as a user that exists only for it: of coreiso it can read only the status and the token, which
 * systemd passes to it. systemd before 247 passes neither, and the only answer is 404.
 */
export const STATUS_UNIT: string = `[Unit]
Description=Tell how far this machine is
CollectMode=inactive-or-failed

[Service]
ExecStart=-/usr/local/bin/coreiso-status
StandardInput=socket
StandardOutput=socket
StandardError=null
LogLevelMax=notice
RuntimeMaxSec=5
TimeoutStopSec=1
LoadCredential=token:/etc/coreiso/status-token
LoadCredential=status:/run/coreiso/status.json
SetCredential=status:${STARTING}
DynamicUser=yes
CapabilityBoundingSet=
PrivateDevices=yes
ProtectHome=yes
ProtectKernelTunables=yes
ProtectControlGroups=yes
RestrictAddressFamilies=AF_UNIX
MemoryMax=32M
TasksMax=16
`;
