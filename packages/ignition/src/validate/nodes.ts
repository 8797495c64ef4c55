import { cleanPath } from '@coreiso/peers/go';
import type { Place } from '../parse/place.ts';
import type { Config, Directory, File, Integer, Link, Owner, Storage } from '../spec/generated/types.ts';
import type { Check, Findings } from './breaches.ts';
import { pathFault } from './path.ts';

const UNIT_DIRECTORY = '/etc/systemd/system';

/** Refuses files, directories and links at paths of units and drop-ins. */
export const checkConfig: Check<Config> = ({ storage, systemd }, at, findings) => {
  const taken = new Set<string>();
  for (const { contents, dropins = [], name } of systemd?.units ?? []) {
    const unit = `${UNIT_DIRECTORY}/${name ?? ''}`;
    if (contents) taken.add(unit);
    for (const dropin of dropins) if (dropin.contents) taken.add(`${unit}.d/${dropin.name ?? ''}`);
  }
  if (taken.size === 0) return;
  for (const list of ['files', 'directories', 'links'] as const) {
    for (const [index, { path }] of (storage?.[list] ?? []).entries()) {
      if (taken.has(path)) findings.add('path-conflicts-with-unit', at, 'storage', list, index, 'path');
    }
  }
};

export const checkOwner: Check<Owner> = ({ id, name }, at, findings) => {
  if (id !== undefined && name) findings.add('owner-ambiguous', at);
};

export const checkDirectory: Check<Directory> = ({ mode, path }, at, findings) => {
  checkPath(path, at, findings);
  checkMode(mode, at, findings);
};

export const checkFile: Check<File> = ({ contents, mode, overwrite, path }, at, findings) => {
  checkPath(path, at, findings);
  checkMode(mode, at, findings);
  if (overwrite && contents?.source === undefined) findings.add('overwrite-without-source', at, 'overwrite');
};

export const checkLink: Check<Link> = ({ path }, at, findings) => checkPath(path, at, findings);

function checkPath(path: string | undefined, at: Place, findings: Findings): void {
  const fault = pathFault(path ?? '');
  if (fault !== undefined) findings.add(fault, at, 'path');
}

const SPECIAL_BITS = 0o7000n;

function checkMode(mode: Integer | undefined, at: Place, findings: Findings): void {
  if (mode === undefined) return;
  if (mode < 0 || mode > 0o7777) findings.add('mode-illegal', at, 'mode');
  if (findings.minor < 6 && (BigInt(mode) & SPECIAL_BITS) !== 0n) findings.add('mode-special-bits', at, 'mode');
}

/** Rules about several kinds of entries at once. */
export const checkStorage: Check<Storage> = (storage, at, findings) => {
  const { directories = [], disks = [], files = [], filesystems = [], links = [] } = storage;
  const tree = linkTree(links);
  for (const [index, { path }] of directories.entries()) {
    for (let n = tree(path); n > 0; n--) findings.add('directory-below-link', at, 'directories', index);
  }
  for (const [index, { path }] of files.entries()) {
    for (let n = tree(path); n > 0; n--) findings.add('file-below-link', at, 'files', index);
  }
  const directoryCounts = new Map<string, number>();
  for (const { path = '' } of directories) directoryCounts.set(path, (directoryCounts.get(path) ?? 0) + 1);
  for (const [index, link] of links.entries()) {
    for (let n = tree(link.path); n > 0; n--) findings.add('link-below-link', at, 'links', index);
    checkTarget(link, index, directoryCounts, at, findings);
  }
  // If several disks have the same device, the last one counts.
  const diskOf = new Map(disks.map((disk) => [disk.device ?? '', disk]));
  for (const [index, { device, wipeFilesystem }] of filesystems.entries()) {
    const { partitions = [], wipeTable } = diskOf.get(device ?? '') ?? {};
    if (partitions.length > 0) findings.add('filesystem-over-partitions', at, 'filesystems', index, 'device');
    else if (wipeTable && !wipeFilesystem) findings.add('filesystem-wiped', at, 'filesystems', index, 'device');
  }
};

/**
 * Returns a function that counts the links above a path. The tree of segments avoids comparing thousands of links with thousands
 * of paths.
 */
function linkTree(links: readonly Link[]): (path: string | undefined) => number {
  interface Branch {
    links: number;
    readonly branches: Map<string, Branch>;
  }
  const root: Branch = { links: 0, branches: new Map() };
  for (const { path = '' } of links) {
    let branch = root;
    for (const segment of path.split('/')) {
      let next = branch.branches.get(segment);
      if (next === undefined) {
        next = { links: 0, branches: new Map() };
        branch.branches.set(segment, next);
      }
      branch = next;
    }
    branch.links++;
  }
  return (path = '') => {
    if (links.length === 0) return 0;
    let branch: Branch | undefined = root;
    let count = 0;
    const segments = path.split('/');
    for (const segment of segments.slice(0, -1)) {
      branch = branch.branches.get(segment);
      if (branch === undefined) break;
      count += branch.links;
    }
    return count;
  };
}

function checkTarget(
  link: Link,
  index: number,
  directories: ReadonlyMap<string, number>,
  at: Place,
  findings: Findings,
): void {
  const { group, hard, path = '', target = '', user } = link;
  if (findings.minor >= 3 && target === '') {
    findings.add('link-target-required', at, 'links', index, 'target');
    return;
  }
  if (!hard) return;
  // Ignition joins a relative target to the path of the link, not to its directory.
  const clean = cleanPath(target);
  const resolved = clean.startsWith('/') ? clean : cleanPath(`${path}/${clean}`);
  for (let n = directories.get(resolved) ?? 0; n > 0; n--) findings.add('hard-link-to-directory', at, 'links', index);
  for (const [member, owner] of Object.entries({ user, group })) {
    if (owner?.id !== undefined) findings.add('hard-link-owner', at, 'links', index, member, 'id');
    if (owner?.name !== undefined) findings.add('hard-link-owner', at, 'links', index, member, 'name');
  }
}
