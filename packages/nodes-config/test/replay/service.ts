import type { Diagnostic } from '@coreiso/diagnostics';
import { type FileDiagnostic, readDirectory } from '@coreiso/nodes-config';
import type { Recordings, Verdict } from '../../../../test/support/replay.ts';

/** Inputs of a site, and whether the real service accepted the installer's calls. */
interface Probe {
  readonly case: string;
  readonly version?: string;
  readonly release?: string;
  readonly service: { readonly accepts: boolean; readonly refusals?: readonly { readonly answer?: unknown }[] };
  readonly inputs: Readonly<Record<string, string>>;
}

/** Whole sites, with every call of the real client. */
interface Site {
  readonly site: string;
  readonly inputs: Readonly<Record<string, string>>;
  readonly calls: readonly { readonly body?: unknown; readonly status: number; readonly answer?: unknown }[];
}

/** Replays what the service accepted and refused: coreiso reports a refusal exactly where the service did. */
export async function* replayService(recordings: Recordings): AsyncGenerator<Verdict> {
  for (const path of recordings.paths(/(?:^|\/)probes\.json$/)) {
    const probes: readonly Probe[] = JSON.parse(recordings.text(path));
    for (const probe of probes) {
      const { accepts, refusals = [] } = probe.service;
      const release = probe.release ?? `quay.io/openshift-release-dev/ocp-release:${probe.version ?? '4.20.3'}-x86_64`;
      yield {
        name: probe.case,
        differences: differencesOf(
          probe.inputs,
          { version: probe.version ?? '4.20.3', image: release },
          accepts,
          refusals.map(({ answer }) => reasonOf(answer)),
        ),
      };
    }
  }
  for (const path of recordings.paths(/(?:^|\/)sites\.jsonl$/)) {
    for (const line of recordings.text(path).split('\n')) {
      if (line === '') continue;
      const { site, inputs, calls }: Site = JSON.parse(line);
      const bodies = calls.map(
        ({ body }) => Object(body) as { ocp_release_image?: string; openshift_version?: string },
      );
      const image = bodies.find((body) => body.ocp_release_image !== undefined);
      const refusals = calls.filter(({ status }) => status >= 400).map(({ answer }) => reasonOf(answer));
      const release = { version: image?.openshift_version ?? '4.20.3', image: image?.ocp_release_image ?? '' };
      yield { name: site, differences: differencesOf(inputs, release, refusals.length === 0, refusals) };
    }
  }
}

function reasonOf(answer: unknown): string {
  return String((Object(answer) as { reason?: unknown }).reason ?? '');
}

function differencesOf(
  inputs: Readonly<Record<string, string>>,
  release: { readonly version: string; readonly image: string },
  accepts: boolean,
  reasons: readonly string[],
): string[] {
  const { diagnostics } = readDirectory(texts(inputs), { release, version: release.version });
  const refused = diagnostics.filter(isRefusal);
  if (accepts) return refused.map(({ message }) => `the service takes it; ours ${message}`);
  if (refused.length > 0) return refused.flatMap(atItsPlace);
  const others = diagnostics.map(({ severity, message }) => `ours ${severity}: ${message}`);
  return [...reasons.map((reason) => `the service refuses it: ${reason}`), ...others];
}

function isRefusal({ code, severity }: Diagnostic): boolean {
  return code === 'nodes-config/service-refuses' && severity === 'error';
}

/** Every refusal has a place, and help. */
function atItsPlace({ file, range, help }: FileDiagnostic): string[] {
  if (help === undefined) return ['a refusal does not say what to do'];
  return range === undefined && !file.startsWith('openshift/') ? ['a refusal stands nowhere'] : [];
}

/** Contents that were too long to record are only described, like `(1100084 bytes)`. */
function texts(inputs: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(inputs).map(([path, text]) => {
      const [, size] = /^\((\d+) bytes\)$/.exec(text) ?? [];
      return [path, size === undefined ? text : manifestOf(Number(size))];
    }),
  );
}

function manifestOf(size: number): string {
  const head = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\ndata:\n  a: ';
  return `${head}${'x'.repeat(Math.max(0, size - head.length - 1))}\n`;
}
