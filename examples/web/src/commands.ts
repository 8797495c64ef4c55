// The `coreiso` commands that do the same as a screen. Files have the names with which this page saves them.
import { FILE_NAMES, imageName, type Project } from './project.ts';

/** A command that checks the documents of the task. */
export function checkCommand({ task, documents }: Project): string {
  if (task === 'nodes') return line(['coreiso nodes validate', withFacts(documents), FILE_NAMES['nodes-config']]);
  if (task === 'cluster') return 'coreiso agent validate --dir .';
  const checks = [
    documents['network-state'] !== '' && `coreiso nmstate check ${FILE_NAMES['network-state']}`,
    documents.ignition !== '' && `coreiso ignition validate ${FILE_NAMES.ignition}`,
  ];
  return checks.filter((check) => check !== false).join(' && ');
}

/** The command that makes the base, if it is the sample. */
export function baseCommand({ base }: Project): string | undefined {
  if (base?.origin.kind !== 'sample') return undefined;
  return line(['coreiso sample-iso', `--kind ${quoted(base.origin.sample)}`, quoted(base.name)]);
}

/** The command that builds the same bytes; `expires` is the expiry of the page's build. */
export function buildCommand(project: Project, expires?: string): string {
  const { task, documents, choices, base } = project;
  const image = baseArgument(project);
  if (task === 'nodes') {
    const isSingle = choices.images === 'all-hosts' && choices.form === 'iso';
    return line([
      'coreiso nodes image',
      base !== undefined && `--base ${image}`,
      withFacts(documents),
      choices.join !== '' && `--join ${quoted(choices.join)}`,
      (expires ?? choices.validUntil) !== '' && expires !== undefined && `--valid-until ${quoted(expires)}`,
      expires !== undefined && '--no-status',
      choices.form === 'pxe' && '--pxe',
      choices.form === 'minimal-iso' && '--minimal',
      choices.images === 'per-host' && '--per-host',
      choices.artifactsUrl !== '' && `--artifacts-url ${quoted(choices.artifactsUrl)}`,
      isSingle ? '-o node.iso' : '-o images/',
      FILE_NAMES['nodes-config'],
    ]);
  }
  if (task === 'cluster') {
    return line([
      choices.form === 'pxe' ? 'coreiso agent create pxe-files' : 'coreiso agent create image',
      '--dir .',
      choices.releaseImage !== '' && `--release-image ${quoted(choices.releaseImage)}`,
      choices.version !== '' && `--openshift-version ${quoted(choices.version)}`,
      base !== undefined && `--base ${image}`,
      choices.artifactsUrl !== '' && `--artifacts-url ${quoted(choices.artifactsUrl)}`,
    ]);
  }
  const ignition = choices.ignitionFor === 'installed' ? '--dest-ignition' : '--live-ignition';
  return line([
    'coreiso iso customize -f --grow',
    documents['network-state'].trim() !== '' && `--network-nmstate ${FILE_NAMES['network-state']}`,
    documents.ignition.trim() !== '' && `${ignition} ${FILE_NAMES.ignition}`,
    choices.device !== '' && `--dest-device ${quoted(choices.device)}`,
    ...words(choices.kargs).map((word) => `--live-karg-append ${quoted(word)}`),
    `-o ${quoted(imageName(base?.name ?? 'live.iso'))}`,
    image,
  ]);
}

/** The inputs of a view's command besides the project. */
export interface LookFacts {
  /** The host that is shown. */
  readonly macs: readonly string[];
  /** The base. */
  readonly architecture: string | undefined;
}

/** The command that shows the same as a view on a terminal; undefined if there is none. */
export function lookCommand(project: Project, view: string, facts: LookFacts): string | undefined {
  const { task, documents, base } = project;
  if (view === 'image' || view === 'initramfs') return base && line(['coreiso iso inspect', baseArgument(project)]);
  if (task === 'live') {
    if (view === 'ignition')
      return documents.ignition.trim() === '' ? undefined : `coreiso ignition show ${FILE_NAMES.ignition}`;
    if (documents['network-state'].trim() === '') return undefined;
    if (view === 'network') return `coreiso nmstate draw ${FILE_NAMES['network-state']}`;
    return view === 'keyfiles' ? `coreiso nmstate check -o keyfiles ${FILE_NAMES['network-state']}` : undefined;
  }
  if (view === 'form') return undefined;
  if (view === 'ignition') {
    const built = builtImage(project, facts);
    return base && built && `coreiso iso ignition show ${built}`;
  }
  if (task === 'cluster') return 'coreiso agent plan --dir .';
  const macs = facts.macs.map((mac) => `--mac ${quoted(mac)}`);
  if (view === 'boots')
    return macs.length === 0
      ? undefined
      : line(['coreiso nodes simulate', withFacts(documents), ...macs, FILE_NAMES['nodes-config']]);
  return line(['coreiso nodes plan', view === 'network' && '--svg', withFacts(documents), FILE_NAMES['nodes-config']]);
}

/** The only image that the command of the section "Save" writes; undefined if it writes several files. */
function builtImage({ task, choices }: Project, { architecture }: LookFacts): string | undefined {
  if (choices.form !== 'iso') return undefined;
  if (task === 'cluster') return architecture && `agent.${architecture}.iso`;
  return choices.images === 'all-hosts' ? 'node.iso' : undefined;
}

export function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

function withFacts(documents: Project['documents']): string | false {
  return documents['cluster-facts'].trim() !== '' && `--cluster ${FILE_NAMES['cluster-facts']}`;
}

function baseArgument({ base }: Project): string {
  if (base === undefined) return 'live.iso';
  return quoted(base.origin.kind === 'address' ? base.origin.url : base.name);
}

function line(parts: readonly (string | false)[]): string {
  return parts.filter((part) => part !== false).join(' ');
}

/** Quotes a text as one word for a POSIX shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
