export const KEYFILES = {
  title: 'Keyfiles',
  place: 'Directory',
  none: 'No keyfiles: this host takes its network from DHCP, and NetworkManager needs no profile for that.',
  chosen:
    'The image holds the profiles of all hosts. When a machine boots, it takes those of the host with its MAC address.',
} as const;
