// Steps that several tests of the page share.
import type { BrowserPage, openChromium } from './browsers.ts';

export type Chromium = Awaited<ReturnType<typeof openChromium>>;

/** Saves through downloads: tests cannot answer pickers. */
export const WITHOUT_PICKERS =
  'delete window.showSaveFilePicker; delete window.showOpenFilePicker; delete window.showDirectoryPicker;';

/** The lines in the section "Save". */
export const COMMANDS = `document.querySelector('#save .command code').textContent`;

export async function press(page: BrowserPage, ...names: string[]): Promise<void> {
  for (const name of names) await page.press(name);
}

/** A sample image, and the document templates of a task. */
export async function begin(page: BrowserPage, ...documents: string[]): Promise<void> {
  await press(page, 'Try it with a sample image');
  for (const name of documents) await press(page, name, 'Start from a template');
  await page.until(`document.querySelector('#image.done') !== null`);
}

/** One at a time: a browser drops a download that has not begun when the next is requested. */
export async function saved(page: BrowserPage, button: string, name: string): Promise<Buffer> {
  await press(page, button);
  return page.downloaded(name);
}

export const FILES = {
  'nodes-config': 'nodes-config.yaml',
  'Cluster facts': 'cluster.json',
  'install-config': 'install-config.yaml',
  'agent-config': 'agent-config.yaml',
  'Network state': 'network.yaml',
  'Ignition config': 'config.ign',
} as const;

/** With the names that the commands use. */
export async function saveDocuments(page: BrowserPage, ...tabs: readonly (keyof typeof FILES)[]): Promise<void> {
  for (const tab of tabs) {
    await press(page, tab);
    await saved(page, 'Save this file', FILES[tab]);
  }
}

/** Names the release of a new cluster, as far as an image needs it. */
export async function nameRelease({ page }: Chromium): Promise<void> {
  await page.getByLabel('Release image').fill('quay.example.test/ocp:4.20.3-x86_64');
  await page.getByLabel('Version of the release').fill('4.20.3');
  await page.keyboard.press('Tab');
}

/** Sets a field of the section "Save" by its label, as a person would. */
export function choose(label: string, value: string): string {
  return `(() => {
    const label = [...document.querySelectorAll('#save label')].find((one) => one.textContent.startsWith(${JSON.stringify(label)}));
    const field = label.querySelector('input, select');
    field.value = ${JSON.stringify(value)};
    field.dispatchEvent(new Event('change', { bubbles: true }));
  })()`;
}

/** Drops a file on the page; its content is an expression for the parts of a Blob. */
export function drop(name: string, parts: string): string {
  return `(async () => {
    const data = new DataTransfer();
    data.items.add(new File(await (${parts}), ${JSON.stringify(name)}));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  })()`;
}

/** Drops a file from disk, so that the page gets its handle. */
export async function dropFile({ page }: Chromium, path: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await devtools.send('Input.dispatchDragEvent', { type, x: 200, y: 200, data });
}
