export { normalizeConsole } from './console.ts';
export { customize, customizeOrThrow } from './customize.ts';
export type {
  Customization,
  CustomizeChanges,
  CustomizeContext,
  CustomizeOptions,
  ImageFeatures,
  NamedInput,
  NetworkKeyfile,
} from './options.ts';
