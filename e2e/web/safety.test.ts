// The page must not load much before it is used, contact other servers, or keep data.
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../test/support/scratch.ts';
import { describeWith } from '../../test/support/tools.ts';
import { BROWSERS, openChromium } from './support/browsers.ts';
import { runLines } from './support/command-line.ts';
import { Site } from './support/site.ts';
import { begin, choose, press, saveDocuments, WITHOUT_PICKERS } from './support/steps.ts';

const dist = fileURLToPath(new URL('../../examples/web/dist', import.meta.url));

/** Bytes of requested files, each once and compressed as on servers. */
function gzipped(paths: readonly string[]): number {
  const files = new Set(paths.map((path) => (path.endsWith('/') ? `${path}index.html` : path)));
  return [...files].reduce((sum, path) => sum + gzipSync(readFileSync(join(dist, path))).length, 0);
}

/** An image on another server, which lets pages read it in parts. */
async function otherServer(path: string): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer((request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', '*');
    response.setHeader(
      'access-control-expose-headers',
      'content-range, content-length, etag, last-modified, accept-ranges',
    );
    if (request.method === 'OPTIONS') return response.writeHead(204).end();
    const { size } = statSync(path);
    const [, from = '0', to = String(size - 1)] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
    const [start, end] = [Number(from), Math.min(Number(to === '' ? size - 1 : to), size - 1)];
    response.writeHead(206, {
      etag: '"one"',
      'content-range': `bytes ${start}-${end}/${size}`,
      'content-length': end - start + 1,
    });
    return createReadStream(path, { start, end }).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/other.iso`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describeWith(['chromium', 'firefox-esr'], 'a careful page', () => {
  test('loads less than 350 KB before it is used, and the rest on use', async () => {
    await using site = await Site.start();
    await using page = await openChromium();
    await page.goto(site.url);
    await page.page.waitForLoadState('networkidle');
    const first = gzipped(site.requests);
    console.info(`first load: ${Math.round(first / 1000)} KB`);
    expect(first).toBeGreaterThan(10_000);
    expect(first).toBeLessThan(350_000);
    await begin(page, 'nodes-config');
    await page.until(`document.querySelector('.editor')?.shadowRoot?.querySelector('.cm-content') != null`);
    expect(gzipped(site.requests)).toBeGreaterThan(first + 100_000);
  });

  test.each(BROWSERS)('cannot reach another server, not even by mistake, in %s', async (_, open) => {
    await using site = await Site.start();
    await using other = await otherServer(join(dist, 'index.html'));
    await using page = await open();
    await page.goto(site.url);
    // The actions of the page if an attacker had injected code into it.
    const attempt = (code: string): Promise<string> =>
      // Later: code that a debugger evaluates may evaluate more.
      page.evaluate(
        `new Promise((resolve) => setTimeout(async () => { try { ${code}; resolve('done'); } catch (error) { resolve(error.name); } }))`,
      );
    expect(await attempt(`await fetch(${JSON.stringify(other.url)})`)).toBe('TypeError');
    expect(await attempt(`new Function('return 1')()`)).toBe('EvalError');
    expect(
      await attempt(`document.body.insertAdjacentHTML('beforeend', '<p style="color: red" id="red">red</p>')`),
    ).toBe('done');
    expect(await page.evaluate(`getComputedStyle(document.getElementById('red')).color`)).not.toBe('rgb(255, 0, 0)');
  });

  test('reads an image at an address on a separate page, and shows the fetched bytes', async () => {
    const folder = scratchFolder();
    runLines('coreiso sample-iso --size 64MiB other.iso', folder);
    await using site = await Site.start();
    await using other = await otherServer(join(folder, 'other.iso'));
    await using page = await openChromium({ before: WITHOUT_PICKERS });
    await page.goto(`${site.url}base.html`);
    await page.page.fill('#address', other.url);
    await press(page, 'Open');
    await page.until(`document.querySelector('#image.done') !== null`);
    expect(await page.evaluate(`document.querySelector('#image').innerText`)).toContain('64 MiB');
    expect(await page.evaluate(`document.querySelector('#fetched').textContent`)).toMatch(/^Fetched \d+ KiB from 127/);
    await press(
      page,
      'Any live image',
      'Network state',
      'Start from a template',
      'Build',
      'Save: other-customized.iso',
    );
    expect((await page.downloaded('other-customized.iso')).length).toBe(64 * 2 ** 20);
    expect(page.complaints).toEqual([]);
  });

  test('names the missing headers of a server', async () => {
    await using site = await Site.start();
    await using other = await Site.start();
    await using page = await openChromium();
    await page.goto(`${site.url}base.html`);
    await page.page.fill('#address', `${other.url}icon.svg`);
    await press(page, 'Open');
    await page.until(
      `document.querySelector('#image .note.bad')?.textContent.includes('allow other pages to read it (CORS)')`,
    );
    await press(page, 'Try it with a sample image');
    await page.until(`document.querySelector('#image.done') !== null`);
  });

  test('leaves secrets out of a project, and names them', async () => {
    await using site = await Site.start();
    await using page = await openChromium({ before: WITHOUT_PICKERS });
    await page.goto(site.url);
    await begin(page, 'nodes-config', 'Cluster facts');
    await press(page, 'Project', 'Save it without secrets');
    const clean = (await page.downloaded('project.coreiso.json')).toString();
    expect(await page.evaluate(`document.querySelector('#project').innerText`)).toContain(
      'Left out of the file: Cluster facts.',
    );
    await saveDocuments(page, 'Cluster facts');
    const facts = readFileSync(join(page.downloads, 'cluster.json'), 'utf8');
    const { documents } = JSON.parse(clean);
    expect(documents['cluster-facts']).toContain('<redacted>');
    expect(clean).not.toContain(/"auth\\*":\s*\\*"(\w+)/.exec(facts)?.[1] ?? 'no secret in the facts');
    expect(facts).toMatch(/"auth/);
    expect(documents['nodes-config']).toContain('hostname: worker-0');
    expect(page.complaints).toEqual([]);
  });

  test('passes the project to the page that may fetch', async () => {
    await using site = await Site.start();
    await using page = await openChromium();
    await page.goto(site.url);
    await press(page, 'Start from a template');
    await page.until(`document.querySelector('#editor-nodes-config') !== null`);
    const opened = page.page.context().waitForEvent('page');
    await press(page, 'From an address…');
    const other = await opened;
    await other.waitForSelector('#editor-nodes-config');
    expect(other.url()).toBe(`${site.url}base.html`);
  });

  test('keeps nothing, and forgets everything on request', async () => {
    await using site = await Site.start();
    await using page = await openChromium({ before: WITHOUT_PICKERS });
    await page.goto(site.url);
    await begin(page, 'nodes-config', 'Cluster facts');
    await page.evaluate(choose('How hosts join', 'network-only'));
    await press(page, 'Project', 'Save the project');
    const saved = JSON.parse((await page.downloaded('project.coreiso.json')).toString());
    expect(saved.documents['cluster-facts']).toContain('pullSecret');
    expect(await page.evaluate(`document.querySelector('#project').innerText`)).toContain(
      'holds secrets: Cluster facts',
    );

    await press(page, 'Forget everything');
    await page.until(
      `document.querySelector('#documents .empty') !== null && document.querySelector('#image .drop') !== null`,
    );
    const kept = await page.evaluate(`(async () => ({
      local: localStorage.length, session: sessionStorage.length, cookies: document.cookie,
      databases: (await indexedDB.databases()).length,
      caches: (await Promise.all((await caches.keys()).map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url)))).flat()
        .filter((url) => !/\\/(?:assets\\/[^/]+\\.(?:js|css)|icon\\.svg|\\w+\\.html)?$/.test(url)),
    }))()`);
    expect(kept).toEqual({ local: 0, session: 0, cookies: '', databases: 0, caches: [] });

    await page.evaluate(`(async () => {
      const data = new DataTransfer();
      data.items.add(new File([${JSON.stringify(JSON.stringify(saved))}], 'project.coreiso.json'));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    })()`);
    await page.until(`document.querySelector('#editor-cluster-facts') !== null`);
    expect(await page.evaluate(`document.querySelector('#save').innerText`)).toContain('--join network-only');
    expect(page.complaints).toEqual([]);
  });
});
