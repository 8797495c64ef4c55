import { parseAgentConfig, parseInfraEnv, parseNMStateConfig } from '@coreiso/nodes-config';
import { describe, expect, test } from 'vitest';

describe('the other kinds of document', () => {
  test('help for an agent-config with `spec` says to move its keys up', () => {
    const { diagnostics } = parseAgentConfig('apiVersion: v1beta1\nspec:\n  rendezvousIP: 192.0.2.1\n');
    expect(diagnostics[0]).toMatchObject({
      upstream: true,
      message:
        'failed to unmarshal agent-config.yaml: error unmarshaling JSON: while decoding JSON: json: unknown field "spec"',
      help: 'Move the keys below `spec` up one level, and remove `spec`.',
      range: { start: { line: 2, column: 1 } },
    });
  });

  const manifest = (interfaces: string, address: string): string =>
    `metadata: {name: a, labels: {a: b}}\nspec:\n  interfaces:\n${interfaces}  config:\n    interfaces:\n    - {name: eth0, type: ethernet, state: up, ipv4: {enabled: true, dhcp: false, address: [{ip: ${address}, prefix-length: 24}]}}\n`;
  const row = (mac: string, name = 'eth0'): string => `  - name: ${name}\n    macAddress: ${mac}\n`;

  test.each(['52:54:00:A1:00:AA', '52:54:00:a1:00:aa'])(
    'two manifests with one MAC address, the second time %s, are reported with the number of the first manifest',
    (again) => {
      const text = `${manifest(row('52:54:00:a1:00:aa'), '192.0.2.2')}---\n${manifest(row(again), '192.0.2.3')}`;
      const { diagnostics } = parseNMStateConfig(text);
      expect(diagnostics).toMatchObject([
        {
          code: 'nodes-config/duplicate-mac',
          severity: 'error',
          message: `${again} is the same MAC address as 52:54:00:a1:00:aa of spec.interfaces[0].macAddress in manifest 1`,
          range: { start: { line: 14, column: 17 } },
        },
      ]);
      expect(parseNMStateConfig(text, { mode: 'compatible' })).toMatchObject({
        ok: true,
        diagnostics: [{ code: 'nodes-config/duplicate-mac', severity: 'warning', upstream: false }],
      });
    },
  );

  test('one manifest that repeats a MAC address is refused only by upstream', () => {
    const rows = `${row('52:54:00:a1:00:aa')}${row('52:54:00:a1:00:aa', 'eth1')}`;
    expect(parseNMStateConfig(manifest(rows, '192.0.2.2')).diagnostics).toMatchObject([
      { upstream: true, message: 'MACs and Interfaces for host 0 must be unique' },
    ]);
  });

  test('an address in two manifests is reported with the manifest that has it first', () => {
    const text = `${manifest(row('52:54:00:a1:00:aa'), '192.0.2.2')}---\n${manifest(row('52:54:00:a1:00:ab'), '192.0.2.2')}`;
    expect(parseNMStateConfig(text).diagnostics).toMatchObject([
      {
        code: 'nodes-config/duplicate-address',
        message: '192.0.2.2 is already the address of spec.config in manifest 1',
      },
    ]);
  });

  test('an InfraEnv with a private key instead of a public one is refused', () => {
    const outcome = parseInfraEnv('spec:\n  sshAuthorizedKey: "-----BEGIN OPENSSH PRIVATE KEY-----"\n');
    expect(outcome).toMatchObject({ ok: false, diagnostics: [{ code: 'nodes-config/ssh-key', upstream: false }] });
  });
});
