// The units of a live system. Each may be enabled anywhere: without its files it does nothing.

/** Before NetworkManager, and after udev has given the interfaces their names. */
const EARLY = `DefaultDependencies=no
Wants=systemd-udev-settle.service network-pre.target
After=local-fs.target systemd-udev-settle.service
Before=network-pre.target NetworkManager.service shutdown.target
Conflicts=shutdown.target`;

/** Which host this machine is must be known. */
const IDENTIFIED = `Wants=coreiso-host.service
After=coreiso-host.service`;

/** What a script says goes to the screen as well: anyone who is before the machine has no journal. */
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
 * Only ever on a live system: the disk it writes may be the one an installed system runs from. RAID and LVM that were left on disks
 * must not be started; the unit that sees to it orders itself before udev. Statuses 3 and 4 are those that trying again cannot help.
 * Not a oneshot, for which systemd before 244 refuses to load a unit that restarts.
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

/** What is told before the first check: the members of the join script's status. */
const STARTING =
  '{"version":1,"stage":"starting","progress":null,"updated":null,"host":null,"hostname":null,"expires":null,"disk":null,"reason":null,"error":null,"checks":[]}';

/** Only ever on a live system. However many ask too often, the port opens again: systemd would close it for good after 200 in 2 s. */
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
 * One process for each connection, of a user that exists only for it: it can read the status and the token, which systemd hands to
 * it, and nothing else of coreiso. systemd before 247 hands it neither, and all it says is 404.
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
