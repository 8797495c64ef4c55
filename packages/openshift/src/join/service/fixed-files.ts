// Files that are the same in every image, and what upstream has there that these images do not.
import type { LiveFile } from '../live-files.ts';
import { SERVICE_SCRIPTS } from './generated/scripts.ts';

const MOTD = `This machine installs OpenShift. Collect the logs, without secrets, with: sudo agent-gather
`;

/** Paths by name rather than by number, and only where there is more than one. */
const MULTIPATH_CONF = `defaults {
  user_friendly_names yes
  find_multipaths yes
  enable_foreign "^$"
}
blacklist_exceptions {
  property "(SCSI_IDENT_|ID_WWN)"
}
`;

const CONFIG_IMAGE_RULES = `# A medium with the settings of a cluster.
ACTION=="add|change", SUBSYSTEM=="block", ENV{ID_FS_LABEL}=="agent_configimage", TAG+="systemd", ENV{SYSTEMD_WANTS}+="load-config-iso@%k.service"
`;

/** DHCPv6 leases follow the MAC address from boot to boot, in upstream's images as in ours. */
export const CLIENT_ID = '[connection]\nipv6.dhcp-duid=ll\nipv6.dhcp-iaid=mac\n';

const PRIVATE = 0o600;
const PROGRAM = 0o555;

/** The mapping script, which only images with static networks have. */
export const NETWORK_SCRIPT = 'pre-network-manager-config.sh';

export function fixedFiles(): LiveFile[] {
  const programs = Object.entries(SERVICE_SCRIPTS).filter(([name]) => name !== NETWORK_SCRIPT);
  return [
    { path: '/etc/NetworkManager/conf.d/clientid.conf', mode: PRIVATE, contents: CLIENT_ID },
    { path: '/etc/motd.d/10-agent-installer', mode: PRIVATE, contents: MOTD },
    { path: '/etc/multipath.conf', mode: PRIVATE, contents: MULTIPATH_CONF },
    { path: '/etc/udev/rules.d/80-agent-config-image.rules', mode: PRIVATE, contents: CONFIG_IMAGE_RULES },
    ...programs.map(([name, contents]) => ({ path: `/usr/local/bin/${name}`, mode: PROGRAM, contents })),
  ];
}

/**
 * Files of upstream's images whose behaviour is not known well enough to be written again. Units that would run them are there, and
 * are skipped.
 *
 * @example for (const path of ABSENT_SERVICE_FILES) console.log(`${path} is not in this image`)
 */
export const ABSENT_SERVICE_FILES: readonly string[] = [
  '/etc/containers/containers.conf',
  '/root/assisted.te',
  '/usr/local/bin/agent-config-image-wait.sh',
  '/usr/local/bin/agent-extract-tui.sh',
  '/usr/local/bin/bootstrap-service-record.sh',
  '/usr/local/bin/oci-eval-user-data.sh',
];
