export { normalizeConsole } from './console.ts';
export { customize, customizeOrThrow } from './customize.ts';
export type {
  ExpectedType,
  FoundValue,
  InputFault,
  InstallerFault,
  JsonFault,
  JsonSyntaxFault,
  ObjectName,
} from './fault.ts';
export type {
  Customization,
  CustomizeContext,
  CustomizeOptions,
  NamedInput,
} from './options.ts';
export type { RefusalDiagnostic } from './refusal.ts';
