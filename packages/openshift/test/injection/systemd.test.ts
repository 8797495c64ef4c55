// Words of units and of systemd's own settings, read back by systemd: as the path of a missing program, which it names.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isCoreisoError } from '@coreiso/diagnostics';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../../test/support/scratch.ts';
import { describeWith, run } from '../../../../test/support/tools.ts';
import { clusterSettings, PROXY_DROP_IN } from '../../src/join/cluster-files.ts';
import { systemdWord } from '../../src/join/service/units/systemd-words.ts';
import { variantsOf } from './hostile.ts';

const PREFIX = 'HTTP_PROXY=';

/** The form in systemd's settings; undefined if the proxy is refused. */
function written(httpProxy: string): string | undefined {
  try {
    const settings = clusterSettings({ proxy: { httpProxy } }).find(({ path }) => path === PROXY_DROP_IN);
    return settings && /^DefaultEnvironment=(.*)$/m.exec(settings.contents)?.[1];
  } catch (error) {
    if (isCoreisoError(error)) return undefined;
    throw error;
  }
}

/** systemd simplifies paths. */
const simplified = (path: string): string => path.replace(/\/(?:\.?\/)+/g, '/').replace(/\/\.?$/, '');

describeWith(['systemd-analyze'], 'systemd', () => {
  test.each<[string, (value: string) => string | undefined]>([
    ['a proxy', written],
    ['a word of a command', (value) => (/[\p{Cc}\p{Cs}]/u.test(value) ? undefined : systemdWord(`${PREFIX}${value}`))],
  ])('reads %s as one value', (_, write) => {
    const folder = scratchFolder();
    const values = [...variantsOf({ proxy: 'http://p.test' }, { share: 1 })].map(({ value }) => value);
    const short = values.filter((value) => value.length < 1000 && !value.includes('..') && !value.endsWith('/'));
    const units = short.flatMap((value, at) => {
      const word = write(value);
      if (word === undefined) return [];
      const name = `word${at}.service`;
      // The leading slash makes the word a path; it goes inside the quotes, if there are any.
      writeFileSync(
        join(folder, name),
        `[Service]\nExecStart=${word.startsWith('"') ? `"/${word.slice(1)}` : `/${word}`}\n`,
      );
      // Variables are expanded at the start of the program, and dollar signs without a variable, too.
      return [{ name, path: `/${PREFIX}${write === written ? value : value.replaceAll('$', '$$$$')}` }];
    });
    const { stderr } = run('systemd-analyze', ['verify', '--man=no', ...units.map(({ name }) => join(folder, name))]);
    // It also refuses program names with quotes or backslashes, and prints the text that it read.
    const isRead = ({ name, path }: { readonly name: string; readonly path: string }): boolean =>
      stderr.includes(`${name}: Command ${simplified(path)} is not executable`) ||
      stderr.includes(`${name}:2: Executable name contains special characters: ${path}\n`);
    const faults = units.filter((unit) => !isRead(unit));
    expect(faults).toEqual([]);
    expect(units.length).toBeGreaterThan(100);
  });
});
