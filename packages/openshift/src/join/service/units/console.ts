// The console of a machine.
import { FORGOTTEN, inPod, REMOVED } from './pod.ts';

/** Starts before every unit that needs the network, so that a person can repair it here. */
const EARLIER =
  'network.target network.service agent.service node-zero.service NetworkManager-wait-online.service agent-auth-token-status.service';
const LATER =
  'network-pre.target NetworkManager.service pre-network-manager-config.service selinux.service agent-extract-tui.service set-hostname.service';

export const CONSOLE_UNITS: Readonly<Record<string, string>> = {
  'install-status.service': `[Unit]
Description=Show on the console how far the installation is
Wants=network-online.target assisted-service-pod.service
After=network-online.target assisted-service-pod.service
ConditionPathExists=/etc/assisted/node0

[Service]
Type=simple
Restart=always
ExecStart=/usr/local/bin/install-status.sh

[Install]
WantedBy=multi-user.target
`,
  'agent-auth-token-status.service': `[Unit]
Description=Show on the console until when this image adds nodes
Wants=network-online.target
After=network-online.target
ConditionPathExists=/etc/assisted/add-nodes.env

[Service]
Type=simple
EnvironmentFile=/etc/assisted/add-nodes.env
Restart=no
ExecStart=/usr/local/bin/agent-auth-token-status.sh

[Install]
WantedBy=agent-add-node.service
`,
  'agent-ui.service': `[Unit]
Description=Pages of the service that installs the cluster
Wants=network-online.target assisted-service.service
After=network-online.target assisted-service.service agent-register-infraenv.service
PartOf=assisted-service-pod.service
ConditionPathExists=/etc/assisted/node0
ConditionPathExists=/etc/assisted/interactive-ui
ConditionPathExists=/etc/assisted/manifests

[Service]
EnvironmentFile=/usr/local/share/assisted-service/agent-images.env
EnvironmentFile=/etc/assisted/rendezvous-host.env
Restart=on-failure
KillMode=mixed
Type=notify
${FORGOTTEN}
ExecStart=${inPod('agent-ui')} --rm --detach --sdnotify=conmon --env=AIUI_APP_API_URL --env=AIUI_URL $INSTALLER_UI_IMAGE
${REMOVED}

[Install]
WantedBy=multi-user.target
`,
  'agent-extract-tui.service': `[Unit]
Description=Take the program for the console out of its image
After=selinux.service start-local-registry.service
ConditionPathExists=/etc/assisted/rendezvous-host.env.template
ConditionPathExists=/etc/assisted/interactive-ui
ConditionPathExists=!/usr/local/bin/agent-tui

[Service]
Type=oneshot
TimeoutStartSec=300s
ExecStart=/usr/local/bin/agent-extract-tui.sh

[Install]
WantedBy=agent-interactive-console.service
`,
  'agent-interactive-console.service': `[Unit]
Description=Check registries and the network on the screen
After=dev-fb0.device dev-dri-card0.device ${LATER}
Before=getty@tty1.service ${EARLIER}
Wants=agent-extract-tui.service
ConditionPathExists=/usr/local/bin/agent-tui
ConditionPathExists=|/dev/fb0
ConditionPathExists=!/etc/assisted/node0
ConditionPathExistsGlob=|/dev/dri/card*

[Service]
Type=oneshot
TTYPath=/dev/tty15
EnvironmentFile=/etc/assisted/agent-installer.env
TimeoutStartSec=0
StandardInput=tty
TTYVHangup=yes
TTYVTDisallocate=yes
ExecStart=/usr/local/bin/agent-tui

[Install]
WantedBy=getty@tty1.service
`,
  'agent-interactive-console-serial@.service': `[Unit]
Description=Check registries and the network on a serial line
After=dev-fb0.device dev-dri-card0.device dev-%i.device ${LATER}
Before=serial-getty@%i.service ${EARLIER}
Wants=agent-extract-tui.service
ConditionPathExists=/usr/local/bin/agent-tui
ConditionPathExists=!/dev/fb0
ConditionPathExists=!/etc/assisted/node0
ConditionPathExistsGlob=!/dev/dri/card*

[Service]
Type=oneshot
TTYPath=/dev/%I
EnvironmentFile=/etc/assisted/agent-installer.env
TimeoutStartSec=0
StandardInput=tty
ExecStart=/usr/local/bin/agent-tui

[Install]
WantedBy=serial-getty@.service
`,
};
