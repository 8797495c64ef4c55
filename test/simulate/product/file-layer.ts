// The file layer of `@coreiso/iso`, with a turn before each call: other processes may run in between.
import {
  type FileStat,
  type FileSystem,
  type OpenFile,
  nodeFileSystem as real,
} from '../../../packages/iso/src/node/file-system.ts';

export { errnoOf } from '../../../packages/iso/src/node/file-system.ts';
export type { FileStat, FileSystem, OpenFile };

declare const __turn: () => Promise<void>;

/** The same object, with asynchronous methods that wait for their turn. */
function inTurn<T extends object>(object: T, isAtOnce: (name: string) => boolean): T {
  return Object.fromEntries(
    Object.entries(object).map(([name, work]) => [
      name,
      isAtOnce(name)
        ? work
        : async (...given: unknown[]) => {
            await __turn();
            return await work(...given);
          },
    ]),
  ) as T;
}

const files = inTurn(real, () => false);

export const nodeFileSystem: FileSystem = {
  ...files,
  open: async (...given) => inTurn(await files.open(...given), (name) => name.endsWith('Sync')),
};
