import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLiveImage } from '@coreiso/iso';
import { fileSource, writeCopy } from '@coreiso/iso/node';
import { sampleIso } from '@coreiso/iso/sample';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

const CONFIG = `hosts:
- hostname: worker-3
  rootDeviceHints:
    deviceName: /dev/sda
  interfaces:
  - name: eno1
    macAddress: 52:54:00:e7:05:72
`;

const CLUSTER = {
  platform: 'BareMetal',
  apiServerUrl: 'https://api.cove.example.test:6443',
  nodes: [{ name: 'control-0', architecture: 'amd64', master: true, addresses: [] }],
  workerUserData: {
    ignition: {
      version: '3.2.0',
      config: { merge: [{ source: 'https://api-int.cove.example.test:22623/config/worker' }] },
    },
  },
};

describe('add-nodes.ts', () => {
  const home = process.cwd();
  let directory: string;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'coreiso-'));
    process.chdir(directory);
    vi.resetModules();
    await writeCopy(await sampleIso(), 'rhcos-live.iso');
    writeFileSync('cluster.json', JSON.stringify(CLUSTER));
  });
  afterEach(() => {
    process.chdir(home);
    vi.restoreAllMocks();
    rmSync(directory, { recursive: true });
  });

  test('prints the node and writes the image that adds it', async () => {
    const log = vi.spyOn(console, 'log').mockReturnValue();
    writeFileSync('nodes-config.yaml', CONFIG);
    await import('../src/add-nodes.ts');
    const [[hostname], [report]] = log.mock.calls as [[string], [string]];
    expect(hostname).toBe('worker-3');
    expect(JSON.parse(report)).toMatchObject({ result: { exit_code: 0 } });
    expect(statSync('node.x86_64.iso').mode & 0o777).toBe(0o600);
    await using source = await fileSource('node.x86_64.iso');
    const files = await (await openLiveImage(source)).initrd.read();
    expect(new TextDecoder().decode(files.get('config.ign')?.content)).toContain('/usr/local/bin/coreiso-join');
  });

  test('reports a mistake with its place and builds nothing', async () => {
    const error = vi.spyOn(console, 'error').mockReturnValue();
    vi.spyOn(process, 'exit').mockImplementation((code) => {
      throw new Error(`exit ${code}`);
    });
    writeFileSync('nodes-config.yaml', CONFIG.replace('hostname', 'hostnme'));
    await expect(import('../src/add-nodes.ts')).rejects.toThrow('exit 1');
    expect(error.mock.calls[0]?.[0]).toMatch(
      /^nodes-config\.yaml:2:3: error: .*\n {2}2 \| - hostnme: worker-3\n {4}\| {3}\^/,
    );
    expect(() => statSync('node.x86_64.iso')).toThrow('ENOENT');
  });
});
