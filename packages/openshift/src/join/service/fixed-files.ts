// Files that are the same in every image.
import type { LiveFile } from '../live-files.ts';
import { SERVICE_SCRIPTS } from './generated/scripts.ts';

const MOTD = `This machine installs OpenShift. Collect the logs, without secrets, with: sudo agent-gather
`;

/** Names multipath devices by name instead of by number, and only those with several paths. */
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

/** Podman makes the first container of a pod itself: without this setting it would pull it from a public registry. */
const CONTAINERS_CONF = `[engine]
infra_image = ""
`;

/** Containers with a socket of the host's clock: the source of the module that `selinux.service` builds. */
const SELINUX_RULES = `module assisted 1.0;

require {
    type chronyd_t, container_file_t, spc_t;
    class dir search;
    class sock_file write;
    class unix_dgram_socket sendto;
}

allow chronyd_t container_file_t:dir search;
allow chronyd_t container_file_t:sock_file write;
allow chronyd_t spc_t:unix_dgram_socket sendto;
`;

/** DHCPv6 leases follow the MAC address across boots, in upstream's images as well. */
export const CLIENT_ID = '[connection]\nipv6.dhcp-duid=ll\nipv6.dhcp-iaid=mac\n';

const PRIVATE = 0o600;
const READABLE = 0o644;
const PROGRAM = 0o555;

/** The mapping script, which only images with static networks have. */
export const NETWORK_SCRIPT = 'pre-network-manager-config.sh';

export function fixedFiles(): LiveFile[] {
  const programs = Object.entries(SERVICE_SCRIPTS).filter(([name]) => name !== NETWORK_SCRIPT);
  return [
    { path: '/etc/NetworkManager/conf.d/clientid.conf', mode: PRIVATE, contents: CLIENT_ID },
    { path: '/etc/containers/containers.conf', mode: READABLE, contents: CONTAINERS_CONF, existing: 'append' },
    { path: '/etc/motd.d/10-agent-installer', mode: PRIVATE, contents: MOTD },
    { path: '/etc/multipath.conf', mode: PRIVATE, contents: MULTIPATH_CONF },
    { path: '/etc/udev/rules.d/80-agent-config-image.rules', mode: PRIVATE, contents: CONFIG_IMAGE_RULES },
    { path: '/root/assisted.te', mode: PRIVATE, contents: SELINUX_RULES },
    ...programs.map(([name, contents]) => ({ path: `/usr/local/bin/${name}`, mode: PROGRAM, contents })),
  ];
}
