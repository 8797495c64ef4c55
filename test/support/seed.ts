// Properties are tried with the same cases in every run, so that a failure comes from the tested change. For other
// cases run `COREISO_SEED=$RANDOM npx vitest run FILE`, as often as you like.
import fc from 'fast-check';

const FIXED_SEED = 20_261;

fc.configureGlobal({ seed: Number(process.env['COREISO_SEED'] ?? FIXED_SEED) });
