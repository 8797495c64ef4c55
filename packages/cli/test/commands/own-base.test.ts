// From a kubeconfig to an image in one command: a real API server names the live image, and a real registry stores it.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampleIso } from '@coreiso/iso/sample';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeWithKube, KubeEngine } from '../../../../test/support/engines.ts';
import { OpenShiftStandIn } from '../../../../test/support/openshift.ts';
import { describeWith } from '../../../../test/support/tools.ts';
import { Builder, makeCertificates, PASSWORD, pullSecret, type RunningRegistry, startRegistry } from '../registry.ts';
import { type CliResult, coreiso, scratchFolder } from '../support.ts';

const NINE = '2023-07.x86_64';
const TEN = '2025-04.x86_64';

describeWithKube('a cluster and its registry', () => {
  describeWith(['docker-registry', 'skopeo', 'tar', 'gzip'], 'are enough for an image', () => {
    let folder = '';
    const isos: Record<string, Buffer> = {};
    let engine: KubeEngine;
    let cluster: OpenShiftStandIn;
    let registry: RunningRegistry;
    let bootImages: Server;

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'coreiso-own-base-'));
      const certificates = join(folder, 'certs.d');
      mkdirSync(certificates);
      makeCertificates(folder);
      copyFileSync(join(folder, 'ca.pem'), join(certificates, 'ca.crt'));
      registry = await startRegistry(join(folder, 'registry'), folder, 'token');
      for (const kind of [NINE, TEN]) {
        const iso = await sampleIso({ kind });
        isos[kind] = Buffer.from(await iso.read(0, iso.size));
      }
      const builder = new Builder(join(folder, 'images'));
      const push = (target: string, layers: Parameters<Builder['push']>[1][string]): Promise<string> =>
        builder.push(`${registry.name}/${target}`, { amd64: layers }, { format: 'oci', certificates });
      const files = {
        'coreos/coreos-x86_64.iso': isos[NINE] ?? '',
        'coreos/coreos10-x86_64.iso': isos[TEN] ?? '',
      };
      const art = await push('mirror/art:x', [files]);
      const tags = [{ name: 'machine-os-images', from: { name: `quay.example.test/ocp/art@${art}` } }];
      const references = JSON.stringify({ metadata: { name: '4.22.1' }, spec: { tags } });
      const digest = await push('mirror/release:x', [{ 'release-manifests/image-references': references }]);
      bootImages = createServer((request, response) => response.end(isos[request.url?.slice(1) ?? ''])).listen(
        0,
        '127.0.0.1',
      );
      await once(bootImages, 'listening');
      engine = await KubeEngine.start();
      cluster = new OpenShiftStandIn(engine);
      await cluster.prepare({
        pullSecret: pullSecret(registry.name),
        releaseImage: `quay.example.test/ocp/release@${digest}`,
        trustBundle: readFileSync(join(folder, 'ca.pem'), 'utf8'),
        platform: 'None',
      });
      await cluster.addControlPlane('control-0', '192.0.2.10');
    }, 240_000);

    afterAll(async () => {
      bootImages?.close();
      await registry?.stop();
      await engine?.stop();
      rmSync(folder, { recursive: true, force: true });
    }, 60_000);

    /** Returns stream metadata with the image of this kind. */
    function streamOf(kind: string): object {
      const location = `http://127.0.0.1:${(bootImages.address() as AddressInfo).port}/${kind}`;
      const sha256 = createHash('sha256')
        .update(isos[kind] ?? '')
        .digest('hex');
      const artifacts = { metal: { release: kind, formats: { iso: { disk: { location, sha256 } } } } };
      return { stream: kind, architectures: { x86_64: { artifacts } } };
    }

    async function image(cwd: string, ...more: string[]): Promise<CliResult> {
      writeFileSync(
        join(cwd, 'nodes-config.yaml'),
        'hosts: [{ hostname: w, interfaces: [{ name: eno1, macAddress: 52:54:00:e7:05:72 }] }]\n',
      );
      const argv = ['nodes', 'image', '--live', '--kubeconfig', engine.kubeconfig, '-o', 'node.iso', ...more];
      return await coreiso(argv, { cwd, env: { COREISO_CACHE: join(cwd, 'cache'), HOME: cwd } });
    }
    /** Returns the volume label, which identifies a sample. */
    const labelOf = (cwd: string): string =>
      readFileSync(join(cwd, 'node.iso')).toString('latin1', 32808, 32840).trim();

    // The tests are steps in the life of one cluster, in order.
    test('fails in one sentence with an unknown mirror and no other image, and leaves nothing', async () => {
      const cwd = scratchFolder();
      const { status, stderr } = await image(cwd);
      expect([status, stderr]).toEqual([1, expect.stringContaining('cannot take the live image of the cluster')]);
      expect(stderr).toContain('quay.example.test');
      expect(readdirSync(cwd)).toEqual(['nodes-config.yaml']);
    });

    test('uses the boot image of an older ConfigMap if the release is out of reach', async () => {
      await cluster.setBootImages({ stream: JSON.stringify(streamOf(NINE)) });
      const cwd = scratchFolder();
      const { status, stderr } = await image(cwd);
      expect([status, stderr]).toEqual([0, expect.stringContaining('using the boot image that the cluster names')]);
      expect(labelOf(cwd)).toBe(`coreiso-sample-${NINE}`);
    });

    test("uses the pool's stream out of several, and another on request", async () => {
      const streams = JSON.stringify({ 'rhel-9': streamOf(NINE), 'rhel-10': streamOf(TEN) });
      await cluster.setBootImages({ stream: JSON.stringify(streamOf(NINE)), streams });
      await cluster.add('OSImageStream', 'cluster', { status: { defaultStream: 'rhel-9' } });
      await cluster.add('MachineConfigPool', 'worker', { spec: { osImageStream: { name: 'rhel-10' } } });
      const cwd = scratchFolder();
      const { status, stderr } = await image(cwd);
      expect([status, stderr]).toEqual([0, expect.stringMatching(/^Fetching the rhel-10 x86_64 live image of http:/m)]);
      expect(labelOf(cwd)).toBe(`coreiso-sample-${TEN}`);
      expect(await image(cwd, '--force', '--os-stream', 'rhel-9')).toMatchObject({ status: 0 });
      expect(labelOf(cwd)).toBe(`coreiso-sample-${NINE}`);
    });

    test("fetches the release from the cluster's mirror with its pull secret and certificates", async () => {
      await cluster.add('ImageDigestMirrorSet', 'all', {
        spec: { imageDigestMirrors: [{ source: 'quay.example.test/ocp', mirrors: [`${registry.name}/mirror`] }] },
      });
      const cwd = scratchFolder();
      const { status, stderr } = await image(cwd);
      expect([status, stderr]).toEqual([
        0,
        expect.stringMatching(
          /^Fetching the rhel-10 x86_64 live image of release:quay\.example\.test\S+, [\d.]+ [KM]iB, into the cache$/m,
        ),
      ]);
      expect(stderr).not.toContain(PASSWORD);
      expect(labelOf(cwd)).toBe(`coreiso-sample-${TEN}`);
      expect(await image(cwd, '--force', '--os-stream', 'rhel-9')).toMatchObject({ status: 0 });
      expect(labelOf(cwd)).toBe(`coreiso-sample-${NINE}`);
    });

    test('needs credentials if the cluster keeps its release on the control plane, and explains how nodes reach it', async () => {
      await cluster.add('InternalReleaseImage', 'cluster', { spec: { releases: [] } });
      const own = 'api-int.harbor.example.test:22625';
      const refused = await image(scratchFolder());
      expect([refused.status, refused.stderr]).toEqual([
        1,
        expect.stringContaining(`${own}, and the pull secret has no`),
      ]);
      await cluster.call('POST', '/api/v1/namespaces/openshift-machine-config-operator/secrets', {
        kind: 'Secret',
        metadata: { name: 'internal-release-image-registry-auth' },
        stringData: { password: 'own-password', htpasswd: 'openshift:$2y$05$x\n' },
      });
      const { status, stderr } = await image(scratchFolder());
      expect([status, stderr]).toEqual([0, expect.stringContaining(`new nodes pull their system from ${own}`)]);
      expect(stderr).toContain('forward port 22625');
      expect(stderr).not.toContain('own-password');
    });
  });
});
