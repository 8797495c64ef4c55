import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeCopy } from '@coreiso/iso/node';
import { sampleIso } from '@coreiso/iso/sample';
import { expect, test, vi } from 'vitest';
import { FakeStore } from '../../../openshift/test/s3/fake-store.ts';
import { startServing } from '../serving.ts';
import { coreiso, scratchFolder } from '../support.ts';

const store = vi.hoisted(() => ({ send: (_command: object): unknown => undefined }));
vi.mock(import('@aws-sdk/client-s3'), async (load) => {
  const sdk = await load();
  /** Sends every request to the fake store. */
  class S3Client extends sdk.S3Client {
    override send = (command: never): never => store.send(command) as never;
  }
  return { ...sdk, S3Client: S3Client as typeof sdk.S3Client };
});

const CONFIG = `hosts:
- { hostname: worker-0, interfaces: [{ name: eth0, macAddress: "52:54:00:ab:00:00" }] }
- { hostname: worker-1, interfaces: [{ name: eth0, macAddress: "52:54:00:ab:00:01" }] }
`;
const FACTS = {
  platform: 'BareMetal',
  apiServerUrl: 'https://api.cove.example.test:6443',
  workerUserData: {
    ignition: {
      version: '3.2.0',
      config: { merge: [{ source: 'https://api-int.cove.example.test:22623/config/worker' }] },
    },
  },
};

test('a file, a server and a store provide the same image of a host, status port included', async () => {
  const cwd = scratchFolder();
  await writeCopy(await sampleIso({ size: 20_000_000 }), join(cwd, 'base.iso'));
  writeFileSync(join(cwd, 'nodes-config.yaml'), CONFIG);
  writeFileSync(join(cwd, 'cluster.json'), JSON.stringify(FACTS));
  writeFileSync(join(cwd, 'status-token'), 'abcdefghijklmnopqrstuvwxyz\n', { mode: 0o600 });
  mkdirSync(join(cwd, 'out'));
  const fake = new FakeStore();
  store.send = (command) => fake.client.send(command as never);
  const inputs = ['--base', 'base.iso', '--cluster', 'cluster.json', '--per-host'];
  const same = ['--valid-until', '2030-01-31T12:00:00Z', '--status-token-file', 'status-token'];
  const image = (output: string) => coreiso(['nodes', 'image', ...inputs, ...same, '-o', output], { cwd });

  expect(await image('out')).toMatchObject({ status: 0 });
  const written = readFileSync(join(cwd, 'out', 'worker-1.x86_64.iso'));
  const shown = await coreiso(['iso', 'ignition', 'show', 'out/worker-1.x86_64.iso'], { cwd });
  expect(shown.stdout.toString()).toContain('coreiso-status.socket');

  const { addresses } = await startServing(['nodes', 'serve', ...inputs, ...same], { cwd });
  const address = addresses.find((one) => one.endsWith('/worker-1.iso'));
  const served = Buffer.from(await (await fetch(address ?? '')).arrayBuffer());
  expect(served.equals(written)).toBe(true);

  expect(await image('s3://images/site-a')).toMatchObject({ status: 0 });
  const stored = fake.objects.get('site-a/worker-1.x86_64.iso')?.bytes ?? Buffer.alloc(0);
  expect(written.equals(stored)).toBe(true);
});
