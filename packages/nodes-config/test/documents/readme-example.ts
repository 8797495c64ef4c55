import { formatDiagnostics } from '@coreiso/diagnostics';
import { parseNodesConfig } from '@coreiso/nodes-config';

const text = `hosts:
- hostname: n
  interfaces:
  - name: eth0
    macAddress: 52-54-00-e7-05-72
`;
const { diagnostics } = parseNodesConfig(text);
console.log(formatDiagnostics(diagnostics, { text, file: 'nodes-config.yaml' }));
