import { buildFromExports } from '../../tsup.shared.ts';

/**
 * One bundle, split by command: starting `coreiso --help` loads a few kilobytes and resolves no packages. Minified,
 * because most of the time of a short command is spent on compiling.
 */
export default buildFromExports({
  platform: 'node',
  dts: false,
  minify: true,
  noExternal: [/^@coreiso\//, 'fzstd', 'ip-address', 'js-yaml', 'pako', 'uuid', 'xz-decompress'],
  // The xz decoder asks for a module of Node in the old way.
  banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  esbuildOptions: (options) => {
    options.conditions = ['@coreiso/source'];
  },
});
