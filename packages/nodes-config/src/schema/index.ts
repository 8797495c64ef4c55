export { type SchemaKind, schemaFor } from './schema.ts';
