import { buildFromExports } from '../../tsup.shared.ts';

/** One bundle, split by command: starting `coreiso --help` loads a few kilobytes and resolves no packages. */
export default buildFromExports({
  platform: 'node',
  dts: false,
  noExternal: [/^@coreiso\//, 'fzstd', 'ip-address', 'pako', 'uuid', 'xz-decompress'],
  esbuildOptions: (options) => {
    options.conditions = ['@coreiso/source'];
  },
});
