// The section "Save": choices, the build, and the ways to save.
import { commandLine } from '../command-line.ts';
import { baseCommand, buildCommand } from '../commands.ts';
import type { PageContext } from '../context.ts';
import { element, fill } from '../element.ts';
import { saveBlob } from '../files.ts';
import { DOCUMENTS } from '../project.ts';
import { save as texts } from '../texts/save.ts';
import type { BuiltFacts } from '../worker/facts.ts';
import { mountChoices } from './choices.ts';
import { inPlace } from './in-place.ts';
import { outputRows } from './outputs.ts';
import { workArea } from './work-area.ts';

/** The default lifetime of images for machines that install themselves. */
const LIFETIME = 48 * 3600 * 1000;

export function mountSave(host: HTMLElement, context: PageContext): void {
  const { project, planner, plan, image } = context;
  const choices = element('div', { className: 'fields' });
  const needs = element('p', { className: 'quiet', id: 'needs' });
  const outcome = element('p', { className: 'quiet small' });
  const build = element('button', { className: 'button primary', type: 'button', id: 'build' }, texts.build);
  const zip = element('button', { className: 'button', type: 'button', id: 'text-files' });
  const work = workArea();
  const place = inPlace(context, work);
  const results = element('div', { className: 'stack', id: 'results' });
  const command = commandLine();
  fill(
    host,
    element(
      'div',
      { className: 'content' },
      choices,
      outcome,
      needs,
      element('div', { className: 'row' }, build, zip),
      work.element,
      element('div', { className: 'row' }, place.undo),
      results,
      command.element,
    ),
  );
  mountChoices(choices, project);
  let built: BuiltFacts | undefined;

  const refresh = (): void => {
    const current = project.get();
    const missing = missingOf(context);
    build.disabled = missing.length > 0;
    fill(needs, missing.length > 0 ? texts.needs(missing) : '');
    needs.hidden = missing.length === 0;
    const facts = plan.get();
    const { obstacle, outcome: says = '', join = 'network-only' } = (facts?.task === current.task && facts) || {};
    fill(outcome, obstacle ?? says);
    // All other ways to join overwrite disks.
    outcome.className = join === 'network-only' ? 'quiet small' : 'note caution';
    outcome.classList.toggle('bad', obstacle !== undefined);
    fill(zip, texts.zips[current.task]);
    zip.disabled = facts?.isReady !== true;
    const isStale = built !== undefined && built.revision !== current.revision;
    results.classList.toggle('stale', isStale);
    command.show([
      baseCommand(current),
      buildCommand(current, built === undefined || isStale ? undefined : built.expires),
    ]);
  };
  build.addEventListener('click', () =>
    work.run(texts.building, async (options) => {
      // The rows of an earlier build would save the outputs of this one.
      built = undefined;
      fill(results);
      const { choices: chosen } = project.get();
      const expires = chosen.validUntil || inSeconds(new Date(Date.now() + LIFETIME));
      built = await planner.build({ ...context.told(), choices: { ...chosen, validUntil: expires } }, options);
      fill(results, outputRows(built, context, work, place));
      refresh();
    }),
  );
  zip.addEventListener('click', () =>
    work.run(texts.building, async () => {
      const blob = await planner.textFiles();
      if (blob === undefined) return work.say(texts.noTextFiles);
      saveBlob(project.get().task === 'cluster' ? 'manifests.zip' : 'keyfiles.zip', blob);
    }),
  );
  project.subscribe(refresh);
  plan.subscribe(refresh);
  image.subscribe(refresh);
  project.subscribe(({ revision }) => {
    if (built === undefined || built.revision === revision) return;
    const note = element('div', { className: 'note changed' }, texts.stale);
    built = undefined;
    fill(results, note);
  });
}

/** `2030-01-31T12:00:00Z`, in the format of the command line. */
function inSeconds(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

function missingOf({ project, image, plan, findings }: PageContext): string[] {
  const { task, documents, choices } = project.get();
  const facts = plan.get();
  const kinds = DOCUMENTS[task];
  const isEmpty = kinds.every((kind) => documents[kind].trim() === '') && !(task === 'live' && choices.kargs !== '');
  const hasErrors = kinds.some((kind) => findings.get()[kind]?.some(({ severity }) => severity === 'error'));
  const noRelease = task === 'cluster' && (choices.releaseImage === '' || choices.version === '');
  const { missing } = texts;
  return [
    ...(image.get() === undefined ? [missing.image] : []),
    ...(isEmpty ? [missing.documents] : []),
    ...(!isEmpty && hasErrors ? [missing.errors] : []),
    ...(!isEmpty && noRelease ? [missing.release] : []),
    ...(!isEmpty && !hasErrors && !noRelease && facts?.isReady !== true ? [missing.errors] : []),
  ];
}
