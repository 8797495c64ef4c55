// The units of a live system. Each may be enabled anywhere: without its files it does nothing.

/** Before NetworkManager, and after udev has given the interfaces their names. */
const EARLY = `DefaultDependencies=no
Wants=systemd-udev-settle.service network-pre.target
After=local-fs.target systemd-udev-settle.service
Before=network-pre.target NetworkManager.service shutdown.target
Conflicts=shutdown.target`;

/** What a script says goes to the screen as well: whoever stands before the machine has no journal. */
const service = (script: string): string => `[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/usr/local/bin/${script}
StandardOutput=journal+console
StandardError=inherit`;

const INSTALL = `[Install]
WantedBy=multi-user.target
`;

export const NETWORK_UNIT: string = `[Unit]
Description=Choose the network profiles of this machine
ConditionPathExists=/etc/assisted/network
${EARLY}

${service('coreiso-network')}
TimeoutStartSec=300

${INSTALL}`;

export const HOSTNAME_UNIT: string = `[Unit]
Description=Set the host name of this machine
ConditionPathExists=/etc/coreiso/hosts
${EARLY}

${service('coreiso-hostname')}
TimeoutStartSec=60

${INSTALL}`;

/** Only ever on a live system: the disk it writes may be the one an installed system runs from. */
export const JOIN_UNIT: string = `[Unit]
Description=Install this machine as a worker of the cluster
ConditionPathExists=/run/ostree-live
Wants=network-online.target
After=network-online.target coreiso-hostname.service chronyd.service

${service('coreiso-join')}

${INSTALL}`;
