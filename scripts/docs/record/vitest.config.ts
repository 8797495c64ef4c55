// Runs the unit tests again and records every finding, every error and every text that is read: examples for the reference.
import { defineConfig, mergeConfig, type Plugin } from 'vitest/config';
import base from '../../../vitest.config.ts';

/** A line to insert after the first place of this text. */
const HOOKS: readonly (readonly [file: RegExp, behind: string, line: string])[] = [
  [
    /diagnostics\/src\/outcome\.ts$/,
    "checkArgument('finding', finding, 'object');",
    'globalThis.recorder?.finding(finding);',
  ],
  [
    /diagnostics\/src\/yaml\/parse-yaml\.ts$/,
    "checkArgument('text', text, 'text');",
    'globalThis.recorder?.text(text);',
  ],
  [
    /diagnostics\/src\/json\/parse-json\.ts$/,
    "checkArgument('text', text, 'text');",
    'globalThis.recorder?.text(text);',
  ],
  [
    /packages\/\w[\w-]*\/src\/errors\.ts$/,
    'this.code = code;',
    'globalThis.recorder?.error(code, message, options.help);',
  ],
];

const recording: Plugin = {
  name: 'record-findings',
  enforce: 'pre',
  transform(code, id) {
    const hook = HOOKS.find(([file]) => file.test(id.replace(/\?.*$/, '')));
    if (hook === undefined) return undefined;
    const [, behind, line] = hook;
    return code.includes(behind) ? code.replace(behind, `${behind} ${line}`) : undefined;
  },
};

export default mergeConfig(
  base,
  defineConfig({
    plugins: [recording],
    test: { experimental: { fsModuleCache: false }, setupFiles: ['scripts/docs/record/setup.ts'] },
  }),
);
