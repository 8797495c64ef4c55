// The site: `npm run docs` serves it, `npm run docs:build` builds it. Pages under docs/reference are made from the code by
// scripts/docs.
import { defineConfig } from 'vitepress';
import { linksToTheRepository } from './repository-links.mjs';
import { sidebar } from './sidebar.mjs';

/** The folder of the server that the site is in. */
const base = process.env['DOCS_BASE'] ?? '/';

export default defineConfig({
  title: 'coreiso',
  description: 'Customise CoreOS live images from TypeScript, in Node and in the browser',
  lang: 'en',
  base,
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}icon.svg` }]],
  cleanUrls: false,
  lastUpdated: false,
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config(markdown) {
      linksToTheRepository(markdown);
      // Braces in code are no template of Vue's.
      markdown.renderer.rules.code_inline = (tokens, index) =>
        `<code v-pre>${markdown.utils.escapeHtml(tokens[index].content)}</code>`;
    },
  },
  // Long pages of the API are long.
  vite: { build: { chunkSizeWarningLimit: 2000 } },
  themeConfig: {
    nav: [
      { text: 'Start', link: '/start/five-minutes' },
      { text: 'Guides', link: '/guides/', activeMatch: '^/guides/' },
      { text: 'How it works', link: '/how/', activeMatch: '^/how/' },
      { text: 'Reference', link: '/reference/', activeMatch: '^/reference/' },
      { text: 'Developers', link: '/developers/', activeMatch: '^/developers/' },
    ],
    sidebar: sidebar(),
    outline: [2, 3],
    // Searches an index that comes with the page: no service is asked.
    search: { provider: 'local', options: { miniSearch: { searchOptions: { boost: { title: 4, text: 2 } } } } },
    docFooter: { prev: 'Previous', next: 'Next' },
  },
});
