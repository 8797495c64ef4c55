// The page on other servers: nginx with the configuration beside the README, and the container.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { freePorts } from '../../test/support/engines.ts';
import { scratchFolder } from '../../test/support/scratch.ts';
import { root } from '../../test/support/sources.ts';
import { describeWith } from '../../test/support/tools.ts';
import { openChromium } from './support/browsers.ts';
import { POLICY } from './support/site.ts';
import { begin, press, WITHOUT_PICKERS } from './support/steps.ts';

const EXAMPLE = join(root, 'examples/web');
const canChroot = process.platform === 'linux' && process.getuid?.() === 0;

/** The configuration around the README's one: Debian's own, as far as the page needs it. */
const AROUND = (conf: string): string => `
  user root;
  daemon off;
  pid nginx.pid;
  error_log stderr;
  events {}
  http {
    include /etc/nginx/mime.types;
    access_log off;
    ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`).join('\n')}
    include ${conf};
  }`;

/** nginx while a test runs. */
class Nginx implements AsyncDisposable {
  readonly #process: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#process = child;
  }

  static async start(command: string, args: readonly string[], url: string): Promise<Nginx> {
    const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
    const nginx = new Nginx(child);
    await expect.poll(() => fetch(url).then(({ status }) => status, String), { timeout: 60_000 }).toBe(200);
    return nginx;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#process, 'exit');
    if (this.#process.exitCode === null && this.#process.kill('SIGQUIT')) await ended;
  }
}

/** Builds an image there, and checks the headers of every file. */
async function tryPage(url: string): Promise<void> {
  await using page = await openChromium({ before: WITHOUT_PICKERS });
  await page.goto(url);
  await begin(page, 'nodes-config', 'Cluster facts');
  await press(page, 'Build', 'Save: node.x86_64.iso');
  expect((await page.downloaded('node.x86_64.iso')).includes('CD001')).toBe(true);
  expect(page.complaints).toEqual([]);
  const wide = POLICY.replace("connect-src 'self'", "connect-src 'self' https: http:");
  for (const asked of new Set([...page.requests.filter((one) => one.startsWith(url)), `${url}base.html`])) {
    const { headers } = await fetch(asked);
    expect(headers.get('content-security-policy'), asked).toBe(asked.endsWith('/base.html') ? wide : POLICY);
  }
}

describeWith(['chromium', 'nginx'], 'the page on nginx', () => {
  test('works with the configuration beside the README, in any path', async () => {
    const folder = scratchFolder();
    const port = await freePorts();
    cpSync(join(EXAMPLE, 'dist'), join(folder, 'tools/page'), { recursive: true });
    const conf = readFileSync(join(EXAMPLE, 'nginx.conf'), 'utf8')
      .replace('listen 80;', `listen 127.0.0.1:${port};`)
      .replace('/usr/share/nginx/html', folder);
    writeFileSync(join(folder, 'page.conf'), conf);
    writeFileSync(join(folder, 'nginx.conf'), AROUND('page.conf'));
    const url = `http://127.0.0.1:${port}/tools/page/`;
    await using _ = await Nginx.start('nginx', ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr'], url);
    await tryPage(url);
  });
});

/** A root with only nginx, and its files where nginx's image has them. */
function rootWithNginx(folder: string): void {
  const nginx = execFileSync('sh', ['-c', 'command -v nginx'], { encoding: 'utf8' }).trim();
  const libraries = execFileSync('ldd', [nginx], { encoding: 'utf8' }).matchAll(/(\/\S+) \(0x/g);
  for (const path of [nginx, ...[...libraries].map(([, path = '']) => path), '/etc/nginx/mime.types']) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    cpSync(path, join(folder, path), { dereference: true });
  }
  for (const path of ['etc/nginx/conf.d', 'usr/share/nginx/html', 'var/log/nginx', 'tmp'])
    mkdirSync(join(folder, path), { recursive: true });
  writeFileSync(join(folder, 'etc/passwd'), 'root:x:0:0::/:/\n');
  writeFileSync(join(folder, 'etc/group'), 'root:x:0:\n');
  writeFileSync(join(folder, 'etc/nginx/nginx.conf'), AROUND('/etc/nginx/conf.d/*.conf'));
}

describeWith(['chromium', 'nginx', 'podman', 'chroot'], 'the page in a container', () => {
  test.skipIf(!canChroot)('works as built by the container file', async () => {
    const [base, image] = ['localhost/coreiso-page-test-base', 'localhost/coreiso-page-test'];
    const folder = scratchFolder();
    const port = await freePorts();
    rootWithNginx(join(folder, 'base'));
    const podman = (...args: string[]): string =>
      execFileSync('podman', args, { encoding: 'utf8', cwd: folder }).trim();
    execFileSync('tar', ['-C', join(folder, 'base'), '-cf', join(folder, 'base.tar'), '.']);
    podman('import', '--quiet', 'base.tar', base);
    try {
      podman('build', '--quiet', '--network=none', '--build-arg', `BASE=${base}`, '-t', image, EXAMPLE);
      // Not `podman run`: containers that may not set limits cannot start others. Only the port differs.
      cpSync(podman('image', 'mount', image), join(folder, 'root'), { recursive: true });
      const conf = join(folder, 'root/etc/nginx/conf.d/default.conf');
      writeFileSync(conf, readFileSync(conf, 'utf8').replace('listen 80;', `listen 127.0.0.1:${port};`));
      const args = [
        join(folder, 'root'),
        '/usr/sbin/nginx',
        '-p',
        '/tmp',
        '-c',
        '/etc/nginx/nginx.conf',
        '-e',
        'stderr',
      ];
      const url = `http://127.0.0.1:${port}/`;
      await using _ = await Nginx.start('chroot', args, url);
      await tryPage(url);
    } finally {
      podman('image', 'unmount', '--force', image);
      podman('rmi', '--force', image, base);
    }
  });
});
