import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { buildCommand, checkCommand } from '../src/commands.ts';
import { type Choices, EMPTY, type Project, type Task } from '../src/project.ts';

function project(task: Task, choices: Partial<Choices> = {}, members: Partial<Project> = {}): Project {
  return { ...EMPTY, task, choices: { ...EMPTY.choices, ...choices }, base: undefined, revision: 0, ...members };
}

const FILE = { name: "it's my image.iso", size: 1, origin: { kind: 'file', file: new File([], 'x') } } as const;

/** Splits a line into words as a shell does. */
function words(line: string): string[] {
  return execFileSync('sh', ['-c', `for word in ${line}; do printf '%s\\0' "$word"; done`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);
}

test('names with blanks and quotes stay one word', () => {
  expect(words(buildCommand(project('nodes', {}, { base: FILE })))).toEqual([
    'coreiso',
    'nodes',
    'image',
    '--base',
    "it's my image.iso",
    '-o',
    'node.iso',
    'nodes-config.yaml',
  ]);
});

test.each<[string, Project, string]>([
  [
    'nodes',
    project('nodes', { form: 'pxe', artifactsUrl: 'http://boot.example.test/a' }),
    '--pxe --artifacts-url http://boot.example.test/a -o images/',
  ],
  ['nodes', project('nodes', { images: 'per-host', join: 'direct' }), '--join direct --per-host -o images/'],
  [
    'cluster',
    project('cluster', { releaseImage: 'q.example.test/r:1', version: '4.20.3' }),
    'agent create image --dir . --release-image q.example.test/r:1 --openshift-version 4.20.3',
  ],
  [
    'live',
    project('live', { kargs: ' console=ttyS0  quiet ', device: '/dev/sda' }),
    '--dest-device /dev/sda --live-karg-append console=ttyS0 --live-karg-append quiet',
  ],
  [
    'live',
    project('live', { ignitionFor: 'installed' }, { documents: { ...EMPTY.documents, ignition: '{}' } }),
    '--dest-ignition config.ign',
  ],
])('the command has the choices of %s', (_, given, expected) => {
  expect(buildCommand(given)).toContain(expected);
});

test('a command checks the existing documents', () => {
  const documents = { ...EMPTY.documents, ignition: '{}' };
  expect(checkCommand(project('live', {}, { documents }))).toBe('coreiso ignition validate config.ign');
  expect(checkCommand(project('live'))).toBe('');
});
