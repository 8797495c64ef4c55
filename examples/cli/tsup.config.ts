import { buildFromExports } from '../../tsup.shared.ts';

/**
 * One bundle, split by command: starting `coreiso --help` loads a few kilobytes and resolves no packages. Minified,
 * because most of the time of a short command is spent on compiling.
 */
export default buildFromExports({
  platform: 'node',
  dts: false,
  minify: true,
  noExternal: [/^@coreiso\//, 'fzstd', 'pako', 'uuid'],
  // A CommonJS module that asks for one of Node's own: it cannot be part of an ES module.
  external: ['xz-decompress'],
  esbuildOptions: (options) => {
    options.conditions = ['@coreiso/source'];
  },
});
