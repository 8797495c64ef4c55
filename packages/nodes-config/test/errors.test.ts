import { NodesConfigError } from '@coreiso/nodes-config';
import { expect, test } from 'vitest';

test('an error has the findings that caused it, and none if it has another cause', () => {
  const finding = { severity: 'error', code: 'nodes-config/mac', message: 'no', path: [] } as const;
  expect(new NodesConfigError('NODES_UNSAFE_NAME', 'no', { diagnostics: [finding] }).diagnostics).toEqual([finding]);
  expect(new NodesConfigError('NODES_UNSAFE_NAME', 'no').diagnostics).toEqual([]);
});
