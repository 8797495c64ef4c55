import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { MonitorEvent } from '@coreiso/cluster';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CliResult, coreiso } from '../packages/cli/test/support.ts';
import { describeWithKube, KubeEngine } from '../test/support/engines.ts';
import { firstRequest, OpenShiftStandIn, secondRequest } from '../test/support/openshift.ts';
import { describeWith } from '../test/support/tools.ts';
import { bootGuest } from './support/guest.ts';
import { makeLiveIso } from './support/live-iso.ts';
import { BOOT_PROGRAMS } from './support/programs.ts';
import type { Machine } from './support/qemu.ts';
import { Site, WORKER_CONFIG } from './support/site.ts';

const ADDRESS = '198.51.100.22';
const MAC = '52:54:00:aa:00:03';
const STATUS_PORT = 8090;

const NODES_CONFIG = `
hosts:
- hostname: worker-b
  rootDeviceHints: { deviceName: /dev/vda }
  interfaces:
  - { name: enp0s5, macAddress: "${MAC}" }
  networkConfig:
    interfaces:
    - name: enp0s5
      type: ethernet
      state: up
      ipv4: { enabled: true, dhcp: false, address: [{ ip: ${ADDRESS}, prefix-length: 24 }] }
    routes: { config: [{ destination: 0.0.0.0/0, next-hop-address: 198.51.100.1, next-hop-interface: enp0s5 }] }
    dns-resolver: { config: { server: [198.51.100.53] } }
`;

/** `coreiso nodes monitor --json` while it runs. */
class RunningMonitor {
  readonly events: MonitorEvent[] = [];
  readonly #result: Promise<CliResult>;
  readonly #watchers = new Set<() => void>();
  #rest = '';

  constructor(argv: readonly string[], cwd: string) {
    const stdout = new Writable({
      write: (chunk, _encoding, done) => {
        const lines = `${this.#rest}${chunk}`.split('\n');
        this.#rest = lines.pop() ?? '';
        this.events.push(...lines.map((line) => JSON.parse(line)));
        for (const watch of this.#watchers) watch();
        done();
      },
    });
    this.#result = coreiso(['nodes', 'monitor', '--json', ...argv], { cwd, stdout });
  }

  /** Waits for a report and returns it; fails if the monitor ends first. */
  async tells(pattern: RegExp): Promise<MonitorEvent> {
    const look = () => this.events.find(({ message }) => pattern.test(message));
    const told = new Promise<MonitorEvent>((done) => {
      const watch = () => {
        const found = look();
        if (found !== undefined) done(found);
      };
      this.#watchers.add(watch);
      watch();
    });
    const ended = this.#result.then(({ status, stderr }): never => {
      const messages = this.events.map(({ message }) => message).join('\n');
      throw new Error(`the monitor ended with ${status} and never told ${pattern}\n${messages}\n${stderr}`);
    });
    return await Promise.race([told, ended]);
  }

  async ends(): Promise<CliResult> {
    return await this.#result;
  }
}

describeWith(BOOT_PROGRAMS, 'from a kubeconfig to a ready node', () => {
  describeWithKube('with a real API server', () => {
    let folder = '';
    let site: Site;
    let engine: KubeEngine;
    let cluster: OpenShiftStandIn;

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'coreiso-monitor-'));
      [site, engine] = await Promise.all([Site.open(), KubeEngine.start()]);
      cluster = new OpenShiftStandIn(engine);
      await cluster.prepare({ ...site.contents, platform: 'None' });
      await cluster.addControlPlane('m-0', '198.51.100.5');
      await engine.signer();
      await makeLiveIso(join(folder, 'base.iso'), 'xorriso');
      writeFileSync(join(folder, 'nodes-config.yaml'), NODES_CONFIG);
    });
    afterAll(async () => {
      await engine?.stop();
      await site?.[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    });

    const run = (...argv: string[]) => coreiso([...argv, '--kubeconfig', engine.kubeconfig], { cwd: folder });

    test("follows a host from its first check to the node, and approves only the host's requests", async () => {
      const made = await run('nodes', 'image', '--base', 'base.iso', '-o', 'node.iso');
      expect([made.status, made.stderr]).toEqual([0, expect.not.stringContaining('error:')]);
      expect(made.stdout.toString()).toContain('coreiso nodes monitor --report node.report.json');

      const disk = join(folder, 'disk');
      writeFileSync(disk, '');
      truncateSync(disk, 150e9);
      const network = { ...site.network, reached: [`${ADDRESS}:${STATUS_PORT}`] };
      const disks = [{ file: disk, serial: 'PLANTED-SERIAL' }];
      const machine: Machine = { firmware: 'bios', media: 'cd', memoryMiB: 8192, nics: [{ mac: MAC, network }], disks };
      site.answer = { status: 404, body: '' };
      await using guest = await bootGuest('monitored', join(folder, 'node.iso'), machine, site.names);
      const address = `worker-b=127.0.0.1:${await guest.portTo(STATUS_PORT)}`;
      const monitor = new RunningMonitor(['--kubeconfig', engine.kubeconfig, '--address', address], folder);

      await monitor.tells(/^the live system answers$/);
      await monitor.tells(/^pass: \d+ MiB of memory$/);
      expect((await monitor.tells(/^FAIL: .*HTTP status 404/)).fact).toMatchObject({
        kind: 'validation',
        id: 'endpoint',
        status: 'failure',
      });
      await guest.says(/nothing was written/);
      site.answer = WORKER_CONFIG;
      await monitor.tells(/^pass: .* has a config, and its certificate is good$/);
      await monitor.tells(/^the disk is \/dev\/vda, the only disk that fits deviceName$/);
      await guest.installation();
      await monitor.tells(/^the machine installs itself$/);
      await guest.letInstall();
      expect(await guest.ends()).toBe('reboot');
      await monitor.tells(/^the live system stopped answering/);

      await letIn(monitor);
      const { status, stderr } = await monitor.ends();
      expect([status, stderr]).toEqual([0, expect.stringContaining('All nodes are ready.')]);
      expect(JSON.stringify(monitor.events) + stderr).not.toMatch(/PLANTED|dXNlcjpwYXNz/);
    });

    /** Plays the kubelet of the new node, and impostors. */
    async function letIn(monitor: RunningMonitor): Promise<void> {
      const bearer = await cluster.accountToken('node-bootstrapper');
      const stranger = await cluster.bootstrapToken('abcdef', '0123456789abcdef');
      await cluster.ask('look-alike-of-a-stranger', firstRequest('worker-b'), { bearer: stranger });
      await cluster.ask('own', firstRequest('worker-b'), { bearer });
      const warned = await monitor.tells(
        /^its first certificate request own must not be approved: .*look-alike-of-a-stranger$/,
      );
      expect(warned.command).toBeUndefined();
      const doubtful = await run('nodes', 'approve', '--yes');
      expect([doubtful.status, await cluster.pending()]).toEqual([1, ['look-alike-of-a-stranger', 'own']]);

      await cluster.call('DELETE', `${REQUESTS}/look-alike-of-a-stranger`);
      const { command } = await monitor.tells(/^its first certificate request own waits for approval$/);
      expect(command).toBe(`coreiso nodes approve --kubeconfig ${engine.kubeconfig}`);
      await cluster.ask('look-alike-with-another-name', firstRequest('worker-bb'), { bearer });
      expect((await run('nodes', 'approve', '--yes')).status).toBe(0);
      const node = await cluster.issued('own');
      await cluster.call('POST', '/api/v1/nodes', { kind: 'Node', metadata: { name: 'worker-b' } }, node);
      await monitor.tells(/^the node joined$/);

      await cluster.ask('greedy', secondRequest('worker-b', `DNS:worker-b,DNS:api.site.example.test`), node);
      await cluster.ask('first-of-one-who-is-there', firstRequest('worker-b'), { bearer });
      expect((await run('nodes', 'approve', '--yes')).status).toBe(1);
      await cluster.call('DELETE', `${REQUESTS}/greedy`);
      await cluster.ask('serving', secondRequest('worker-b', `DNS:worker-b,IP:${ADDRESS}`), node);
      await monitor.tells(/^its second certificate request serving waits for approval$/);
      expect((await run('nodes', 'approve', '--yes')).stderr).toContain('approved serving of worker-b');
      await cluster.issued('serving');
      expect(await cluster.pending()).toEqual(['first-of-one-who-is-there', 'look-alike-with-another-name']);
      await cluster.setNodeStatus('worker-b', { conditions: [{ type: 'Ready', status: 'True' }] }, node);
    }
  });
});

const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
