// Pages link to files of the repository as any Markdown there does. On the site such a link leads to the repository, after
// a look whether the file exists; links between pages are VitePress's own matter.
import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const docs = fileURLToPath(new URL('..', import.meta.url));
const root = join(docs, '..');
const REPOSITORY = 'https://github.com/coreiso/coreiso/blob/main';

export function linksToTheRepository(markdown) {
  markdown.core.ruler.push('links-to-the-repository', ({ tokens, env }) => {
    const links = tokens.flatMap(({ children }) => children ?? []).filter(({ type }) => type === 'link_open');
    for (const link of links) {
      const target = link.attrGet('href') ?? '';
      if (/^(?:[a-z]+:|[/#])/.test(target)) continue;
      const [path = ''] = target.split('#');
      const file = join(dirname(env.path), decodeURIComponent(path));
      if (!relative(docs, file).startsWith('..')) continue;
      if (!existsSync(file)) throw new Error(`${relative(root, env.path)}: dead link ${target}`);
      link.attrSet('href', `${REPOSITORY}/${relative(root, file)}`);
    }
  });
}
