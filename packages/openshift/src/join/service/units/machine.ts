// Units of every machine, whether it runs the service or not.
import type { UnitValues } from './systemd-words.ts';

const INSTALL = `[Install]
WantedBy=multi-user.target
`;

export function machineUnits({ configImage }: UnitValues): Readonly<Record<string, string>> {
  return { ...MACHINE_UNITS, 'load-config-iso@.service': configImageUnit(configImage) };
}

/** Without files it logs that and does nothing. */
function configImageUnit(
  { expected, optional }: NonNullable<UnitValues['configImage']> = { expected: [], optional: [] },
): string {
  const more = optional.length === 0 ? '' : `Environment="CONFIG_IMAGE_OPTIONAL=${optional.join(',')}"\n`;
  return `[Unit]
Description=Take the settings of a cluster from a config image
Wants=network-online.target
After=network-online.target
ConditionPathExists=!/etc/assisted/no-config-image

[Service]
Type=oneshot
Restart=on-failure
RestartSec=10
RemainAfterExit=True
Environment="CONFIG_IMAGE_FILES=${expected.join(',')}"
${more}ExecStart=/usr/local/bin/load-config-iso.sh %I

${INSTALL}`;
}

const MACHINE_UNITS: Readonly<Record<string, string>> = {
  'agent.service': `[Unit]
Description=Register this machine at the service
Wants=network-online.target set-hostname.service
After=network-online.target set-hostname.service

[Service]
Type=simple
Restart=always
RestartSec=3
StartLimitInterval=0
TimeoutStartSec=3000
EnvironmentFile=/etc/assisted/rendezvous-host.env
ExecStartPre=/usr/local/bin/release-image-download.sh
ExecStartPre=/usr/local/bin/extract-agent.sh
ExecStart=/usr/local/bin/start-agent.sh

${INSTALL}`,
  'node-zero.service': `[Unit]
Description=Find out whether the service runs on this machine
Wants=network-online.target
After=network-online.target

[Service]
Type=oneshot
RemainAfterExit=True
ExecStart=/usr/local/bin/set-node-zero.sh

${INSTALL}`,
  'set-hostname.service': `[Unit]
Description=Set the host name of this machine
Wants=network-online.target
After=local-fs.target

[Service]
Type=oneshot
RemainAfterExit=true
ExecStart=/usr/local/bin/set-hostname.sh

${INSTALL}`,
  'pre-network-manager-config.service': `[Unit]
Description=Choose the network profiles of this machine
Before=NetworkManager.service
DefaultDependencies=no

[Service]
User=root
TimeoutSec=300
Type=oneshot
PrivateTmp=true
RemainAfterExit=no
ExecStart=/usr/local/bin/pre-network-manager-config.sh

${INSTALL}`,
  'selinux.service': `[Unit]
Description=Load the rules that containers need

[Service]
Type=oneshot
ExecStart=/usr/bin/checkmodule -M -m -o /root/assisted.mod /root/assisted.te
ExecStart=/usr/bin/semodule_package -o /root/assisted.pp -m /root/assisted.mod
ExecStart=/usr/sbin/semodule -i /root/assisted.pp

${INSTALL}`,
  'iscsistart.service': `[Unit]
Description=Connect to the iSCSI disks that the firmware names

[Service]
Type=oneshot
ExecStart=-/usr/sbin/iscsistart -b

${INSTALL}`,
  'iscsiadm.service': `[Unit]
Description=Log in to the iSCSI disks that the firmware names
After=iscsistart.service

[Service]
Type=oneshot
ExecStart=-/usr/sbin/iscsiadm --mode fw --login

${INSTALL}`,
  'oci-eval-user-data.service': `[Unit]
Description=Run the user data of Oracle's cloud
After=NetworkManager.service

[Service]
StandardOutput=syslog
Type=oneshot
RemainAfterExit=yes
Restart=on-failure
RestartSec=30
ExecStart=/usr/local/bin/oci-eval-user-data.sh

${INSTALL}`,
  'agent-check-config-image.service': `[Unit]
Description=Ask for a config image
Wants=network-online.target
After=network-online.target
ConditionPathExists=!/etc/assisted/no-config-image

[Service]
Type=oneshot
RemainAfterExit=True
ExecStart=/usr/local/bin/agent-config-image-wait.sh

${INSTALL}`,
};
