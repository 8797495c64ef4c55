import { buildFromExports } from '../../tsup.shared.ts';

// Types follow from tables here, so declarations cannot be made file by file.
export default buildFromExports({ dts: { compilerOptions: { isolatedDeclarations: false } } });
