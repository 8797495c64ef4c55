import { withoutSecrets } from '@coreiso/diagnostics';
import { samples } from '@coreiso/nodes-config';
import { expect, test } from 'vitest';
import { EMPTY, type ProjectData } from '../src/project.ts';
import { isProjectText, parseProject, projectText, withoutSecretsOf } from '../src/project-file.ts';

const PROJECT: ProjectData = {
  task: 'cluster',
  documents: { ...EMPTY.documents, 'install-config': samples.installConfig, 'nodes-config': samples.nodesConfig },
  choices: { ...EMPTY.choices, form: 'pxe', version: '4.20.3' },
  machines: [{ name: 'rack 1', nics: { eno1: '52:54:00:00:00:10' } }],
};

test('reads a project back from its file unchanged', () => {
  const text = projectText(PROJECT);
  expect(isProjectText(text)).toBe(true);
  expect(parseProject(text, 'a.json')).toEqual(PROJECT);
});

test.each([
  ['text', 'hosts: []', 'a.json is not a project file of this page.'],
  ['JSON of something else', '{"ignition": {"version": "3.4.0"}}', 'a.json is not a project file of this page.'],
  ['null', 'null', 'a.json is not a project file of this page.'],
  ['a newer project', '{"coreisoProject": 99}', 'a.json was saved by a newer version of this page.'],
])('refuses %s', (_, text, message) => {
  expect(() => parseProject(text, 'a.json')).toThrow(message);
});

test.each([
  ['nothing but its mark', {}],
  ['a task of another page', { task: 'toString' }],
  ['members of other types', { task: 7, documents: [], choices: 'x', machines: { a: 1 } }],
  ['words that are no choices', { choices: { form: 'qcow2', images: 'some', ignitionFor: '' } }],
  ['machines that are none', { machines: [null, 1, { name: 'x' }, { name: 'x', nics: { eno1: 7 } }] }],
])('reads %s as an empty project', (_, members) => {
  expect(parseProject(JSON.stringify({ coreisoProject: 1, ...members }), 'a.json')).toEqual(EMPTY);
});

test('leaves out unwanted secrets, and names the documents that had them', () => {
  const { project, hidden } = withoutSecretsOf(PROJECT, (text) => String(withoutSecrets(text)));
  expect(hidden).toEqual(['install-config']);
  expect(PROJECT.documents['install-config']).toContain('"auth"');
  expect(project.documents['install-config']).not.toMatch(/"auth": *"[^<]/);
  expect(project.documents['nodes-config']).toBe(PROJECT.documents['nodes-config']);
});
