export { type JsonSchema, type SchemaKind, schemaFor } from './schema.ts';
