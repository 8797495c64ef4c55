import { expect, onTestFinished, test, vi } from 'vitest';

test('nmstate.ts prints the keyfiles of a bond and of its ports', async () => {
  const log = vi.spyOn(console, 'log').mockReturnValue();
  onTestFinished(() => log.mockRestore());
  await import('../src/nmstate.ts');
  const printed = log.mock.calls.map(([text]) => String(text));
  expect(printed.map((text) => text.split('\n', 1)[0])).toEqual([
    '# bond0.nmconnection',
    '# eth0.nmconnection',
    '# eth1.nmconnection',
  ]);
  expect(printed[0]).toContain('\n[bond]\nmode=802.3ad\n');
  expect(printed[1]).toContain('\nmaster=bond0\n');
});
