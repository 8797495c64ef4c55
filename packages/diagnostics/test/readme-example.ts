import { closest, diagnostic, formatDiagnostics, goYaml, member, parseYaml, valueOrThrow } from '@coreiso/diagnostics';

const text = 'hostname: n\nroel: worker\n';
const document = valueOrThrow(parseYaml(text)[0]);
if (document.root?.kind !== 'mapping') throw new TypeError('not a mapping');
const hostname = member(document.root, 'hostname')?.value;
if (hostname?.kind === 'scalar') console.log(hostname.text, goYaml(hostname)); // n false: Go reads a boolean here
const unknown = document.root.entries.map(({ key }) => key).find((key) => key.kind === 'scalar' && key.text === 'roel');
const help = `Did you mean ${closest('roel', ['hostname', 'role'])}?`;
const finding =
  unknown && diagnostic({ code: 'example/unknown-key', message: 'unknown key roel', help }, document.range(unknown));
console.log(formatDiagnostics(finding ? [finding] : [], { text, file: 'host.yaml' }));
