export {
  type GenerateOptions,
  generateKeyfiles,
  generateKeyfilesOrThrow,
  type Keyfile,
} from './generate.ts';
export { type RefusalKind, refusalKind } from './plan/report.ts';
