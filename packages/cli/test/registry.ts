// Debian's docker-registry on loopback with its own certificates; GNU tar makes the container images, skopeo pushes them.
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { createHash, sign } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer as createPlainServer } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const USER = 'puller';
export const PASSWORD = 's3cret-pull';
/** The password as a bcrypt hash, made with htpasswd. */
const HTPASSWD = `${USER}:$2y$05$NnQx5SNx9vWPb1KeOyEGVeLAnJN1gDLRHBBD9HBOb9xVrnMCGt8cu\n`;

/** Returns a pull secret for some registries. */
export function pullSecret(...registries: readonly string[]): string {
  const auth = Buffer.from(`${USER}:${PASSWORD}`).toString('base64');
  return JSON.stringify({ auths: Object.fromEntries(registries.map((name) => [name, { auth }])) });
}

/** Makes `ca.pem`, and `tls.pem` with `tls.key` for loopback, signed by it. */
export function makeCertificates(directory: string): void {
  const openssl = (...args: string[]): unknown => execFileSync('openssl', args, { cwd: directory, stdio: 'pipe' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=registry CA');
  openssl('req', ...key, '-keyout', 'tls.key', '-out', 'tls.csr', '-subj', '/CN=registry');
  writeFileSync(join(directory, 'san'), 'subjectAltName=IP:127.0.0.1,DNS:localhost');
  const ca = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'san'];
  openssl('x509', '-req', '-in', 'tls.csr', '-out', 'tls.pem', ...ca);
}

export interface RunningRegistry {
  /** `127.0.0.1:PORT` */
  readonly name: string;
  /** The directory of its pushed blobs. */
  readonly storage: string;
  stop(): Promise<void>;
}

/** Starts a registry with a password; with `token`, clients exchange the password for a token at a token server. */
export async function startRegistry(
  directory: string,
  certificates: string,
  way: 'password' | 'token',
): Promise<RunningRegistry> {
  mkdirSync(directory, { recursive: true });
  const port = await freePort();
  const storage = join(directory, 'storage');
  const tls = { cert: join(certificates, 'tls.pem'), key: join(certificates, 'tls.key') };
  writeFileSync(join(directory, 'htpasswd'), HTPASSWD);
  const tokens = way === 'token' ? await startTokenServer(tls) : undefined;
  const auth =
    tokens === undefined
      ? `htpasswd: { realm: test, path: ${join(directory, 'htpasswd')} }`
      : `token: { realm: "${tokens.url}", service: registry, issuer: tests, rootcertbundle: ${tls.cert} }`;
  writeFileSync(
    join(directory, 'config.yml'),
    `version: 0.1
log: { level: error }
storage: { filesystem: { rootdirectory: ${storage} } }
http: { addr: "127.0.0.1:${port}", tls: { certificate: ${tls.cert}, key: ${tls.key} } }
auth: { ${auth} }
`,
  );
  const registry = spawn('docker-registry', ['serve', join(directory, 'config.yml')], { stdio: 'ignore' });
  await answers(port);
  return {
    name: `127.0.0.1:${port}`,
    storage,
    async stop() {
      tokens?.close();
      await ended(registry);
    },
  };
}

function ended(process: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    process.once('exit', () => resolve());
    process.kill();
  });
}

async function freePort(): Promise<number> {
  const probe = createPlainServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

async function answers(port: number): Promise<void> {
  const { connect } = await import('node:net');
  for (let tries = 0; tries < 200; tries++) {
    const isUp = await new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
      socket.on('close', () => undefined).setTimeout(1000, () => socket.destroy());
      socket.once('connect', () => socket.end());
    });
    if (isUp === true) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('docker-registry does not answer');
}

/** Starts a token server as in the registry's documentation: JWTs, signed by the key of a certificate that the registry trusts. */
async function startTokenServer(tls: { cert: string; key: string }): Promise<{ url: string; close(): void }> {
  const [cert, key] = [readFileSync(tls.cert, 'utf8'), readFileSync(tls.key, 'utf8')];
  const encoded = (value: object | Buffer): string =>
    (Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value))).toString('base64url');
  const x5c = [cert.replace(/-----[^-]*-----|\s/g, '')];
  const server = createServer({ cert, key }, (request, response) => {
    const expected = `Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString('base64')}`;
    if (request.headers.authorization !== expected) return void response.writeHead(401).end();
    const { searchParams } = new URL(request.url ?? '', 'https://tokens');
    const access = searchParams.getAll('scope').map((scope) => {
      const [type, name, actions = ''] = scope.split(':');
      return { type, name, actions: actions.split(',') };
    });
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: 'tests', aud: searchParams.get('service'), sub: USER, jti: `${now}`, access };
    const times = { iat: now, nbf: now - 10, exp: now + 300 };
    const text = `${encoded({ alg: 'ES256', typ: 'JWT', x5c })}.${encoded({ ...claims, ...times })}`;
    const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
    response.end(JSON.stringify({ token: `${text}.${encoded(signature)}`, expires_in: 300 }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/token`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The files of a layer by path. */
export type Layer = Readonly<Record<string, string | Uint8Array>>;

/** Makes images in the OCI layout, and pushes them. */
export class Builder {
  readonly #directory: string;
  #count = 0;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Pushes one image or a list of one per architecture; returns the digest in the registry. */
  async push(
    target: string,
    images: Readonly<Record<string, readonly Layer[]>>,
    { format, certificates }: { format: 'oci' | 'v2s2'; certificates: string },
  ): Promise<string> {
    const layout = this.#scratch();
    mkdirSync(join(layout, 'blobs', 'sha256'), { recursive: true });
    writeFileSync(join(layout, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
    const manifests = Object.entries(images).map(([architecture, layers]) => this.#image(layout, architecture, layers));
    const isList = manifests.length > 1;
    const index = { schemaVersion: 2, mediaType: 'application/vnd.oci.image.index.v1+json', manifests };
    const whole = isList ? [this.#blob(layout, JSON.stringify(index), index.mediaType)] : manifests;
    writeFileSync(join(layout, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests: whole }));
    const digestFile = join(layout, 'digest');
    // The token server runs in this process, which must not block.
    await promisify(execFile)('skopeo', [
      ...['copy', '--quiet', '--format', format, '--digestfile', digestFile, ...(isList ? ['--all'] : [])],
      ...['--dest-creds', `${USER}:${PASSWORD}`, '--dest-cert-dir', certificates],
      ...[`oci:${layout}`, `docker://${target}`],
    ]);
    return readFileSync(digestFile, 'utf8').trim();
  }

  #image(layout: string, architecture: string, layers: readonly Layer[]): object {
    const described = layers.map((layer) => this.#layer(layout, layer));
    const config = {
      architecture,
      os: 'linux',
      config: {},
      rootfs: { type: 'layers', diff_ids: described.map(({ diff }) => diff) },
    };
    const manifest = {
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      config: this.#blob(layout, JSON.stringify(config), 'application/vnd.oci.image.config.v1+json'),
      layers: described.map(({ blob }) => blob),
    };
    return {
      ...this.#blob(layout, JSON.stringify(manifest), manifest.mediaType),
      platform: { architecture, os: 'linux' },
    };
  }

  #layer(layout: string, layer: Layer): { blob: object; diff: string } {
    const root = this.#scratch();
    for (const [path, content] of Object.entries(layer)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    }
    const tar = execFileSync('tar', ['-C', root, '-c', '.'], { maxBuffer: 1 << 30 });
    const packed = execFileSync('gzip', ['-1', '-n'], { input: tar, maxBuffer: 1 << 30 });
    return { blob: this.#blob(layout, packed, 'application/vnd.oci.image.layer.v1.tar+gzip'), diff: digestOf(tar) };
  }

  #blob(layout: string, content: string | Buffer, mediaType: string): { digest: string } {
    const bytes = Buffer.from(content);
    const digest = digestOf(bytes);
    writeFileSync(join(layout, 'blobs', digest.replace(':', '/')), bytes);
    return { mediaType, digest, size: bytes.length } as { digest: string };
  }

  #scratch(): string {
    const path = join(this.#directory, `${this.#count++}`);
    mkdirSync(path, { recursive: true });
    return path;
  }
}

function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
