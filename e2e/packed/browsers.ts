// Opens a page with a bundle in a real browser, and returns its post to `/report`.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasProgram } from '../../test/support/tools.ts';

const PROGRAMS = {
  chromium: (profile: string) => ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${profile}`],
  firefox: (profile: string) => ['--headless', '--no-remote', '--profile', profile],
} as const;

/** Undefined if the browser is not installed, unless `COREISO_REQUIRE_TOOLS` requires it. */
export async function reportOf(browser: keyof typeof PROGRAMS, folder: string): Promise<string | undefined> {
  if (!hasProgram(browser) && process.env['COREISO_REQUIRE_TOOLS'] !== '1') return undefined;
  const profile = mkdtempSync(join(tmpdir(), 'coreiso-profile-'));
  let report: (text: string) => void = () => undefined;
  const reported = new Promise<string>((resolve) => {
    report = resolve;
  });
  const server = createServer(async (request, response) => {
    const path = request.url ?? '/';
    if (request.method === 'POST') {
      let text = '';
      for await (const chunk of request) text += chunk;
      response.end();
      report(text);
    } else if (path === '/')
      response
        .setHeader('content-type', 'text/html')
        .end('<!doctype html><title>coreiso</title><script src="/bundle.js"></script>');
    else if (/^\/[\w-]+\.js$/.test(path))
      response.setHeader('content-type', 'text/javascript').end(readFileSync(join(folder, path)));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const child = spawn(browser, [...PROGRAMS[browser](profile), `http://127.0.0.1:${port}/`], {
    stdio: 'ignore',
    detached: true,
    env: { ...process.env, HOME: profile },
  });
  const failed = new Promise<never>((_, reject) => {
    child.once('error', reject);
    child.once('exit', (status) => reject(new Error(`${browser} ended with status ${status}`)));
  });
  try {
    return await Promise.race([reported, failed]);
  } finally {
    // A browser is several processes.
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    await failed.catch(() => undefined);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
