import { readFile } from 'node:fs/promises';
import { Page } from '../../../e2e/support/chromium.ts';
import { FirefoxPage } from '../firefox.ts';
import type { Bench } from '../frame.ts';
import { fullImage } from '../images.ts';

/** A browser, as a bench uses it. */
interface Browser {
  readonly name: string;
  open(url: string): Promise<Pick<Page, 'evaluate' | 'pick' | typeof Symbol.asyncDispose>>;
}

const streamIn = ({ name, open }: Browser): Bench => ({
  name: `${name.toLowerCase()}-stream`,
  about: `a picked file through toReadableStream in ${name}, against File.stream()`,
  unit: 'ms',
  // At least 0.8 of the peer's speed.
  limits: { ratio: 1.25 },
  async setUp(workspace) {
    const image = await fullImage(workspace);
    const program = await readFile(new URL('./page/stream.js', import.meta.url), 'utf8');
    const page = await open('data:text/html,<input type=file>');
    const end = () => page[Symbol.asyncDispose]();
    try {
      await page.evaluate(program);
      await page.pick('input', image);
    } catch (error) {
      await end();
      throw error;
    }
    const streamBy = (by: string) => async () => Number(await page.evaluate(`streamPicked('${by}')`));
    return { peer: streamBy('browser'), ours: streamBy('coreiso'), end };
  },
});

/** Benches in pages. */
export const browserBenches: readonly Bench[] = [
  streamIn({ name: 'Chromium', open: Page.open }),
  streamIn({ name: 'Firefox', open: FirefoxPage.open }),
];
