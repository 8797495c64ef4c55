import { Workspace } from '@coreiso/language';
import type { Bench } from '../frame.ts';

const HOSTS = 500;
const URI = 'file:///nodes-config.yaml';

function host(index: number): string {
  const mac = `52:54:00:00:${hex(index >> 8)}:${hex(index & 255)}`;
  return `- hostname: worker-${index}
  interfaces:
  - name: eno1
    macAddress: ${mac}
  networkConfig:
    interfaces:
    - name: eno1
      type: ethernet
      state: up
      mac-address: ${mac}
      ipv4:
        enabled: true
        dhcp: false
        address:
        - ip: 10.${index >> 8}.${index & 255}.2
          prefix-length: 24
    routes:
      config:
      - destination: 0.0.0.0/0
        next-hop-address: 10.${index >> 8}.${index & 255}.1
        next-hop-interface: eno1
    dns-resolver:
      config:
        server: [192.0.2.53]
`;
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}

/** The work of an editor at each key stroke. */
const keyStroke: Bench = {
  name: 'key-stroke',
  about: `findings of ${HOSTS} hosts after a key stroke, against reading all of them`,
  unit: 'ms',
  computes: true,
  limits: { ratio: 0.5, ours: 50 },
  async setUp() {
    const text = `hosts:\n${Array.from({ length: HOSTS }, (_, index) => host(index)).join('')}`;
    const at = text.indexOf('worker-250') + 'worker-250'.length;
    const workspace = new Workspace();
    await workspace.open(URI, text);
    await workspace.findings(URI);
    let typed = 0;
    const timed = (depth: 'quick' | 'whole') => async () => {
      const changed = `${text.slice(0, at)}${'x'.repeat((typed++ % 9) + 1)}${text.slice(at)}`;
      const begun = performance.now();
      await workspace.open(URI, changed);
      await workspace.findings(URI, { depth });
      return performance.now() - begun;
    };
    return { ours: timed('quick'), peer: timed('whole') };
  },
};

/** Operations that editors wait for. */
export const languageBenches: readonly Bench[] = [keyStroke];
