// Serves the built page as the README describes: with any static server, and the strict policy as a header, too.
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const dist = fileURLToPath(new URL('../../../examples/web/dist', import.meta.url));
const readme = fileURLToPath(new URL('../../../examples/web/README.md', import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** The policy from the README. */
export const POLICY: string =
  /^ *(default-src 'none';.*)$/m.exec(readFileSync(readme, 'utf8'))?.[1] ?? 'the README has no policy';

export class Site implements AsyncDisposable {
  readonly url: string;
  /** Requested paths, in order. */
  readonly requests: string[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }

  /** Serves a folder (default: the built page); another site may have no policy. */
  static async start(folder = dist, policy = POLICY): Promise<Site> {
    let site: Site | undefined;
    const server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://site');
      site?.requests.push(pathname);
      const path = join(folder, normalize(pathname.endsWith('/') ? `${pathname}index.html` : pathname));
      if (!existsSync(path) || !statSync(path).isFile()) return response.writeHead(404).end();
      const own = pathname.endsWith('/base.html')
        ? policy.replace("connect-src 'self'", "connect-src 'self' https: http:")
        : policy;
      response.writeHead(200, {
        'content-type': TYPES[extname(path)] ?? 'application/octet-stream',
        ...(own !== '' && { 'content-security-policy': own }),
        'cache-control': 'no-cache',
      });
      return createReadStream(path).pipe(response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    site = new Site(server);
    return site;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
