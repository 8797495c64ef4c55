/** The form in which the service lists releases. */
export interface ReleaseEntry {
  readonly openshift_version: string;
  readonly cpu_architecture: string;
  readonly cpu_architectures: readonly string[];
  readonly url: string;
  readonly version: string;
}

/** An image with a digest has the known version; a tag names its version, perhaps with the architecture after it. */
export function releaseEntry(image: string, version: string, architecture: string): ReleaseEntry {
  const entry = { cpu_architecture: architecture, cpu_architectures: [architecture], url: image };
  if (/sha256:[0-9a-f]{64}$/.test(image)) return { openshift_version: version, ...entry, version };
  const tag = image.slice(image.lastIndexOf(':') + 1).replace(new RegExp(`-${architecture}$`), '');
  return { openshift_version: tag.split('.').slice(0, 2).join('.'), ...entry, version: tag };
}
