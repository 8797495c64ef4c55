import { checkArgument } from '@coreiso/peers/arguments';
import { canonicalAddress } from '@coreiso/peers/ip';

const PORTS = [
  ['http', 80],
  ['https', 443],
] as const;

/**
 * An HAProxy configuration for routers, to start from: it passes connections unchanged to any node that answers.
 *
 * @example haproxySketch('apps-far.reef.example.test', [{ name: 'far-0', address: '198.51.100.10' }])
 */
export function haproxySketch(
  domain: string,
  backends: readonly { readonly name: string; readonly address: string }[],
): string {
  checkArgument('domain', domain, 'text');
  checkArgument('backends', backends, 'array');
  if (!isSketchable(domain, backends))
    throw new RangeError('domain must be a DNS name, and backends must have plain names and IP addresses');
  const sections = PORTS.map(([name, port]) => {
    const servers = backends.map((one) => `    server ${one.name} ${bracketed(one.address)}:${port} check`);
    return [
      `frontend ${name}`,
      `    bind :::${port} v4v6`,
      `    default_backend routers-${name}`,
      '',
      `backend routers-${name}`,
      '    balance source',
      ...servers,
    ].join('\n');
  });
  return `# HAProxy in front of the routers for *.${domain}
defaults
    mode tcp
    timeout connect 5s
    timeout client 1m
    timeout server 1m

${sections.join('\n\n')}
`;
}

/** Whether HAProxy accepts the names, which become names of servers: only letters, digits and `_.:-`. */
export function isSketchable(domain: string, backends: Parameters<typeof haproxySketch>[1]): boolean {
  return (
    /^[\w.-]+$/.test(domain) &&
    backends.every(({ name, address }) => /^[\w.:-]+$/.test(name) && canonicalAddress(address) !== undefined)
  );
}

function bracketed(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}
