import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const docs = fileURLToPath(new URL('..', import.meta.url));

/** Sections with their folder and its pages, in the order of reading. */
const WRITTEN = [
  ['Start', 'start', ['five-minutes']],
  [
    'Guides',
    'guides',
    [
      'index',
      'embed-a-config',
      'static-networking',
      'kernel-arguments',
      'minimal-and-pxe',
      'serve-to-a-bmc',
      'add-nodes',
      'new-cluster',
      'two-step',
      'remote-sites',
      'fleets',
      'air-gapped',
      'from-coreos-installer',
      'from-nmstatectl',
      'from-oc-adm-node-image',
      'from-openshift-install',
      'in-your-program',
      'in-the-browser',
      'in-your-editor',
    ],
  ],
  [
    'Packages',
    'packages',
    ['cli', 'iso', 'ignition', 'nmstate', 'nodes-config', 'openshift', 'cluster', 'language', 'diagnostics'],
  ],
  ['How it works', 'how', ['index', 'image', 'overlay', 'growth', 'journal', 'boot']],
  [
    'Formats',
    'formats',
    ['index', 'growth-record', 'journal', 'status', 'report', 'cluster-facts', 'state-file', 'project-file'],
  ],
];

/** No group can be closed: a part of the site shows its own. */
export function sidebar() {
  const written = WRITTEN.map(([text, folder, names]) => ({ text, items: inOrder(folder, names) }));
  const reference = [
    { text: 'Reference', items: [item('reference', 'index'), item('reference', 'errors')] },
    { text: 'Findings', items: made('reference/findings') },
    { text: 'Commands', items: made('reference/commands') },
    { text: 'API', items: made('reference/api') },
  ];
  const developers = [
    {
      text: 'Developers',
      items: inOrder('developers', [
        'index',
        'add-an-interface-type',
        'add-an-ignition-field',
        'add-a-command',
        'add-a-join-strategy',
        'add-a-recording',
        'first-issues',
      ]),
    },
    {
      text: 'What holds',
      items: [
        'architecture',
        'decisions',
        'words',
        'versions',
        'fixes',
        'performance',
        'reliability',
        'scale',
        'real-hardware',
        'real-service',
      ].map((name) => item('', name)),
    },
    { text: 'Packages', items: made('reference/packages') },
  ];
  return {
    ...Object.fromEntries(WRITTEN.map(([, folder]) => [`/${folder}/`, written])),
    '/index': written,
    '/reference/packages/': developers,
    '/reference/': reference,
    '/developers/': developers,
    '/': developers,
  };
}

/** Refuses a page that nobody would find. */
function inOrder(folder, names) {
  const pages = readdirSync(join(docs, folder)).filter((file) => file.endsWith('.md'));
  const lost = pages.filter((file) => !names.includes(file.replace(/\.md$/, '')));
  if (lost.length > 0) throw new Error(`${lost.join(', ')} of docs/${folder} are not in docs/.vitepress/sidebar.mjs`);
  return names.map((name) => item(folder, name));
}

/** Called as its page is. */
function item(folder, name) {
  const path = join(folder, name);
  const [, title = name] = /^# (.*)$/m.exec(readFileSync(join(docs, `${path}.md`), 'utf8')) ?? [];
  return { text: title, link: `/${path.replace(/index$/, '')}` };
}

/** Pages that scripts/docs made. */
function made(folder) {
  const names = readdirSync(join(docs, folder)).map((file) => file.replace(/\.md$/, ''));
  return ['index', ...names.filter((name) => name !== 'index')].map((name) => item(folder, name));
}
