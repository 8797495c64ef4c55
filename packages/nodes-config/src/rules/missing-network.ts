// Help about missing parts of a network: the YAML to add.

/** @example missingDefaultRoute(4) // 'Add to its networkConfig…' */
export function missingDefaultRoute(version: 4 | 6): string {
  return `Add to its networkConfig, with the router of the site and the name of the card:
routes:
  config:
  - destination: ${version === 4 ? '0.0.0.0/0' : '::/0'}
    next-hop-address: ROUTER
    next-hop-interface: NAME`;
}

/** Help about missing DNS servers, which may have to resolve a name. */
export function missingServers(wanted?: string): string {
  const which = wanted === undefined ? 'the DNS servers of the site' : `a DNS server that knows ${wanted}`;
  return `Add to its networkConfig, with ${which}:
dns-resolver:
  config:
    server:
    - ADDRESS`;
}
