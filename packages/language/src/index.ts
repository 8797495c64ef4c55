export type { Source } from './judge.ts';
export { KINDS, kindOf, type LanguageKind } from './kinds.ts';
export { editsOfFixes, type FixChoice } from './repair/apply.ts';
export { findingsWithFixes } from './repair/mend.ts';
export { mendText } from './repair/mend-text.ts';
export { type Schema, schemaOf } from './schema.ts';
