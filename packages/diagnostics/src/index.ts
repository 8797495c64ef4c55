export type { Diagnostic, Outcome, Path, Severity } from './diagnostic.ts';
export type {
  MappingEntry,
  MappingNode,
  Node,
  Resolver,
  ScalarNode,
  ScalarStyle,
  ScalarValue,
  SequenceNode,
  TextDocument,
} from './node.ts';
export type { Position, Range } from './position.ts';
