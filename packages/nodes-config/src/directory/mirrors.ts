// The files of `mirror/`: which registries have mirrors, and whose certificates are trusted.
import { dividedImage } from '../facts/release.ts';
import { trustBundleProblem } from '../facts/trust-bundle.ts';
import { caBundleText, isDefaultRegistriesConf, weakCertificates } from '../manifests/mirror-files.ts';
import type { JudgedMirrors } from './cluster-directory.ts';
import type { Asset, EffectiveFiles } from './effective-files.ts';
import type { FindingCollector } from './finding-collector.ts';
import { readRegistries } from './registries.ts';

const REGISTRIES: Asset = 'mirror/registries.conf';
const BUNDLE: Asset = 'mirror/ca-bundle.crt';

export function judgeMirrors(
  effective: EffectiveFiles,
  releaseImage: string,
  collector: FindingCollector,
): JudgedMirrors {
  const { texts, own } = effective;
  const registriesConf = texts[REGISTRIES] ?? '';
  const reading = readRegistries(registriesConf);
  for (const { message, range } of reading.ok ? [] : reading.diagnostics) {
    const line = range?.start.line;
    const text = `failed to unmarshal ${REGISTRIES}: (${line}, 1): ${message}`;
    collector.fail({ file: REGISTRIES, rule: 'registries', message: text, help: `Look at line ${line}: ${message}.` });
  }
  const registries = reading.ok ? reading.value : [];
  if (registries.some(({ location }) => location === '')) {
    const message = `Location key not found in ${REGISTRIES}`;
    collector.warn({ file: REGISTRIES, rule: 'registries', message, help: 'Add `location` to every registry.' });
  }
  checkRelease(registries, registriesConf, { standing: effective, releaseImage }, collector);
  const bundle = texts[BUNDLE] ?? '';
  const problem = bundle === '' ? undefined : trustBundleProblem(bundle);
  if (problem !== undefined) {
    const help = 'Keep PEM certificates, with nothing after the last one.';
    collector.fail({ file: BUNDLE, rule: 'trust-bundle', message: problem.message, help });
  }
  for (const message of own.has(BUNDLE) ? weakCertificates(bundle) : []) {
    const help = 'Take the certificate of the authority that signed it.';
    collector.warn({ file: BUNDLE, rule: 'trust-bundle', message, help });
  }
  return { registries, registriesConf, caBundle: caBundleText(bundle) };
}

/** Checks that the release image is mirrored, if there are mirrors at all. */
function checkRelease(
  registries: JudgedMirrors['registries'],
  text: string,
  { standing: effective, releaseImage }: { readonly standing: EffectiveFiles; readonly releaseImage: string },
  collector: FindingCollector,
): void {
  const finding = { file: REGISTRIES, rule: 'registries' } as const;
  const found = registries.find(({ location }) => location === dividedImage(releaseImage).source);
  if (found !== undefined && found.mirrors.length === 0) {
    const message = 'the entry of the release image has no mirror, and the installer crashes over it';
    collector.refuse({ ...finding, message, help: 'Add a `[[registry.mirror]]`, or remove the entry.' });
  }
  const isOwn = effective.own.has(REGISTRIES) && !isDefaultRegistriesConf(text);
  if (found !== undefined || !isOwn || registries.some(({ location }) => !location)) return;
  const message = `${REGISTRIES} should have an entry matching the releaseImage ${releaseImage}`;
  collector.warn({
    ...finding,
    message,
    help: 'Add an entry whose `location` is the release image without its digest.',
  });
}
