import { buildFromExports } from '../../tsup.shared.ts';

export default buildFromExports();
