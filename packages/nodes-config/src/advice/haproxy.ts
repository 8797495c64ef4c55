import { checkArgument } from '@coreiso/peers/arguments';

const PORTS = [
  ['http', 80],
  ['https', 443],
] as const;

/**
 * A sketch of HAProxy's configuration in front of routers: connections are passed on as they are, to whichever node answers.
 *
 * @example haproxySketch('apps-far.reef.example.test', [{ name: 'far-0', address: '198.51.100.10' }])
 */
export function haproxySketch(
  domain: string,
  backends: readonly { readonly name: string; readonly address: string }[],
): string {
  checkArgument('domain', domain, 'text');
  checkArgument('backends', backends, 'array');
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

function bracketed(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}
