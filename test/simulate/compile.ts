import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/** Parts of the product that simulated processes run; each has an entry in `product/`. */
export type Part = 'files' | 'fleet' | 'store' | 'wait' | 'watch';

const FILE_LAYER = fileURLToPath(new URL('product/file-layer.ts', import.meta.url));

/** A change of the product's text before it is compiled, to test the simulator. */
export type Sabotage = (path: string, code: string) => string;

/** One script with everything that a part needs; Node's modules are required. */
export async function compile(part: Part, sabotage?: Sabotage): Promise<string> {
  const bundle = await rolldown({
    input: fileURLToPath(new URL(`product/${part}.ts`, import.meta.url)),
    platform: 'node',
    external: /^(?:node:|@aws-sdk\/)/,
    resolve: { conditionNames: ['@coreiso/source', 'node', 'import', 'default'] },
    plugins: [
      {
        name: 'file-layer',
        resolveId(source: string, importer: string | undefined) {
          // Every process waits for its turn at each call of the file layer.
          return /\/file-system\.ts$/.test(source) && importer !== FILE_LAYER ? FILE_LAYER : undefined;
        },
        transform: (code: string, id: string) => (sabotage === undefined ? undefined : sabotage(id, code)),
      },
    ],
    checks: { pluginTimings: false },
    treeshake: true,
  });
  const { output } = await bundle.generate({ format: 'cjs', codeSplitting: false, exports: 'named' });
  await bundle.close();
  return output[0].code;
}
