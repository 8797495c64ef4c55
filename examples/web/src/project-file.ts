// A project as one file, with or without its secrets.
import { DOCUMENTS, type DocumentKind, EMPTY, type ProjectData } from './project.ts';
import { menu as texts } from './texts/menu.ts';

const VERSION = 1;
const KINDS = Object.values(DOCUMENTS).flat();

export function projectText({ task, documents, choices, machines }: ProjectData): string {
  return `${JSON.stringify({ coreisoProject: VERSION, task, documents, choices, machines }, null, 2)}\n`;
}

/** Whether a text claims to be a project. */
export function isProjectText(text: string): boolean {
  return /^\s*\{\s*"coreisoProject"/.test(text);
}

/** Throws one sentence if the text is not a project; members of other types keep the values of an empty project. */
export function parseProject(text: string, name: string): ProjectData {
  let value: Record<string, unknown>;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error(texts.notAProject(name));
  }
  if (typeof value?.['coreisoProject'] !== 'number') throw new Error(texts.notAProject(name));
  if (value['coreisoProject'] > VERSION) throw new Error(texts.newer(name));
  const task = value['task'];
  return {
    task: typeof task === 'string' && Object.hasOwn(DOCUMENTS, task) ? (task as ProjectData['task']) : EMPTY.task,
    documents: textMembers(EMPTY.documents, value['documents']),
    choices: choicesOf(value['choices']),
    machines: machinesOf(value['machines']),
  };
}

function textMembers<T extends object>(empty: T, value: unknown): T {
  const given = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(empty).map(([name, standard]) => [name, typeof given[name] === 'string' ? given[name] : standard]),
  ) as T;
}

const WORDS = {
  form: ['iso', 'minimal-iso', 'pxe'],
  images: ['all-hosts', 'per-host'],
  ignitionFor: ['live', 'installed'],
} as const;

function choicesOf(value: unknown): ProjectData['choices'] {
  const read = textMembers(EMPTY.choices, value);
  const known = Object.entries(WORDS).map(([name, words]) => {
    const key = name as keyof typeof WORDS;
    return [key, (words as readonly string[]).includes(read[key]) ? read[key] : EMPTY.choices[key]];
  });
  return { ...read, ...Object.fromEntries(known) };
}

function machinesOf(value: unknown): ProjectData['machines'] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((machine) => {
    const isMachine =
      typeof machine?.name === 'string' &&
      typeof machine.nics === 'object' &&
      machine.nics !== null &&
      Object.values(machine.nics).every((mac) => typeof mac === 'string');
    return isMachine ? [{ name: machine.name, nics: machine.nics }] : [];
  });
}

/** The project without the parts that `hide` hides, and the documents that had them. */
export function withoutSecretsOf(
  project: ProjectData,
  hide: (text: string) => string,
): { readonly project: ProjectData; readonly hidden: readonly DocumentKind[] } {
  const hidden = KINDS.filter((kind) => hide(project.documents[kind]) !== project.documents[kind]);
  const documents = Object.fromEntries(KINDS.map((kind) => [kind, hide(project.documents[kind])]));
  return { project: { ...project, documents: documents as ProjectData['documents'] }, hidden };
}
