// A mapping of a kubeconfig, whose members each have one type. Types are client-go's: null counts as absent.
import {
  type Diagnostic,
  formatDiagnostics,
  goYaml,
  type MappingNode,
  member,
  type Node,
  type Path,
  type TextDocument,
} from '@coreiso/diagnostics';
import { clusterDiagnostic } from '../codes.ts';
import { ClusterError } from '../errors.ts';

/** The file that a mapping is in. */
export interface Place {
  readonly path: string;
  readonly document: TextDocument;
}

/** The first finding in words; never with the source line, which may contain a token. */
export function refusalAt(file: string, diagnostics: readonly Diagnostic[]): ClusterError {
  const [first] = diagnostics;
  const words = formatDiagnostics(first === undefined ? [] : [first], { file }).trimEnd();
  return new ClusterError('CLUSTER_KUBECONFIG', words, { diagnostics });
}

/** The value at a place of a kubeconfig. */
export class Value {
  readonly file: Place;
  readonly node: Node;
  readonly path: Path;

  constructor(file: Place, node: Node, path: Path) {
    this.file = file;
    this.node = node;
    this.path = path;
  }

  refuse(message: string, help: string): never {
    const { document, path: file } = this.file;
    const finding = { code: 'cluster/kubeconfig' as const, message, path: this.path, help };
    throw refusalAt(file, [clusterDiagnostic(finding, document.range(this.node))]);
  }

  get isNull(): boolean {
    return this.node.kind === 'scalar' && goYaml(this.node) === null;
  }

  /** A string; no other type is converted. */
  string(name: string): string {
    const value = this.node.kind === 'scalar' ? goYaml(this.node) : undefined;
    if (typeof value === 'string') return value;
    const help = value === undefined ? 'Write one string there.' : 'Put it in quotes.';
    return this.refuse(`${name} must be a string, not ${this.#kind()}`, help);
  }

  /** A string that programs accept as an argument: the system ends it at a NUL. */
  argument(name: string): string {
    const text = this.string(name);
    return text.includes('\0') ? this.refuse(`${name} holds a NUL character`, 'Remove it.') : text;
  }

  boolean(name: string): boolean {
    const value = this.node.kind === 'scalar' ? goYaml(this.node) : undefined;
    if (typeof value === 'boolean') return value;
    return this.refuse(`${name} must be true or false, not ${this.#kind()}`, 'Write it without quotes.');
  }

  section(name: string): Section {
    const { file, node, path } = this;
    if (node.kind === 'mapping') return new Section(file, node, path);
    return this.refuse(`${name} must be a mapping, not ${this.#kind()}`, 'Write its members below it.');
  }

  items(name: string): readonly Value[] {
    const { file, node, path } = this;
    if (node.kind === 'sequence') return node.items.map((item, at) => new Value(file, item, [...path, at]));
    return this.refuse(`${name} must be a list, not ${this.#kind()}`, 'Write its entries below it, each after a dash.');
  }

  #kind(): string {
    if (this.node.kind !== 'scalar') return this.node.kind === 'mapping' ? 'a mapping' : 'a list';
    const value = goYaml(this.node);
    if (value === null) return 'null';
    return typeof value === 'bigint' ? 'a number' : `a ${typeof value}`;
  }
}

/** A mapping. */
export class Section extends Value {
  override readonly node: MappingNode;

  constructor(file: Place, node: MappingNode, path: Path) {
    super(file, node, path);
    this.node = node;
  }

  /** The whole file; undefined if it is empty. */
  static at(file: Place, node: Node, path: Path): Section | undefined {
    const value = new Value(file, node, path);
    return value.isNull ? undefined : value.section('a kubeconfig');
  }

  /** A member that is present and not null. */
  member(name: string): Value | undefined {
    const entry = member(this.node, name);
    if (entry === undefined) return undefined;
    const value = new Value(this.file, entry.value, [...this.path, name]);
    return value.isNull ? undefined : value;
  }

  /** The name of a member, if the member itself has an error. */
  key(name: string): Value {
    return new Value(this.file, member(this.node, name)?.key ?? this.node, [...this.path, name]);
  }

  /** A non-empty string. */
  text(name: string): string | undefined {
    return this.member(name)?.string(name) || undefined;
  }

  /** The mappings of a list. */
  sections(name: string): readonly Section[] {
    return (this.member(name)?.items(name) ?? []).map((item) => item.section(`an entry of ${name}`));
  }
}
