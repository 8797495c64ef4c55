// Prints the NetworkManager keyfiles of a network state, or its errors.
import { formatDiagnostics } from '@coreiso/diagnostics';
import { generateKeyfiles } from '@coreiso/nmstate';

const text = `interfaces:
- name: bond0
  type: bond
  state: up
  ipv4: { enabled: true, dhcp: true }
  link-aggregation: { mode: 802.3ad, port: [eth0, eth1] }
`;
const result = generateKeyfiles(text);
if (result.ok) for (const { name, content } of result.value) console.log(`# ${name}\n${content}`);
else console.error(formatDiagnostics(result.diagnostics, { text, file: 'bond.yaml' }));
