// The language of isolinux's menus, as far as live images use it (Syslinux wiki, "Config" and "Menu").
import type { Choice } from './grub.ts';
import { type BootFile, type Place, readText } from './places.ts';

interface Label {
  readonly name: string;
  kernel: string;
  append: string | undefined;
  initrd: string | undefined;
  isMenuDefault: boolean;
  /** The action of a label without a kernel, such as `localboot`. */
  other: string | undefined;
}

interface Menu {
  readonly labels: Label[];
  readonly files: BootFile[];
  /** The module that draws the menu, and its argument. */
  ui: string | undefined;
  default: string | undefined;
  ontimeout: string | undefined;
  append: string;
  missing: string | undefined;
}

const MAX_FILES = 64;
const DIRECTORIES = ['/boot/isolinux', '/isolinux', '/boot/syslinux', '/syslinux', ''];

/** Finds isolinux's menu and its folder. */
export async function findIsolinuxMenu(place: Place): Promise<{ folder: string; menu: BootFile } | undefined> {
  for (const folder of DIRECTORIES) {
    for (const name of ['isolinux.cfg', 'syslinux.cfg']) {
      const menu = await place.file(`${folder}/${name}`);
      if (menu !== undefined) return { folder, menu };
    }
  }
  return undefined;
}

/** The entry that isolinux starts by default. */
export async function chooseWithIsolinux(
  place: Place,
  { folder, menu: file }: { readonly folder: string; readonly menu: BootFile },
  signal?: AbortSignal,
): Promise<Choice & { readonly modules: readonly string[] }> {
  const menu: Menu = {
    labels: [],
    files: [],
    ui: undefined,
    default: undefined,
    ontimeout: undefined,
    append: '',
    missing: undefined,
  };
  await readMenu(menu, place, folder, file, signal);
  const module = menu.ui ?? (isModule(menu.default) ? menu.default : undefined);
  const modules = module === undefined ? [] : [resolve(module.split(/\s+/)[0] ?? '', folder)];
  // A menu module reads the file in its argument, or else the same file again.
  const argument = module?.split(/\s+/)[1];
  if (argument !== undefined) {
    const other = await place.file(resolve(argument, folder));
    if (other !== undefined) await readMenu(menu, place, folder, other, signal);
  }
  const label = chosenLabel(menu, module !== undefined);
  const nothing = {
    title: '',
    kernelPath: undefined,
    initrdPaths: [],
    kernel: undefined,
    initrds: [],
    arguments: '',
    menus: menu.files,
    modules,
  };
  if (label === undefined) return { ...nothing, ...withoutLabel(menu) };
  if (label.other !== undefined)
    return { ...nothing, title: label.name, broken: undefined, unknown: `the entry '${label.name}' is ${label.other}` };
  return { ...(await judged(label, menu, place, folder)), modules };
}

function withoutLabel({ default: name, labels, missing }: Menu): {
  broken: string | undefined;
  unknown: string | undefined;
} {
  if (missing !== undefined)
    return { broken: undefined, unknown: `the menu includes ${missing}, which does not exist` };
  if (labels.length === 0) return { broken: 'the menu has no entry', unknown: undefined };
  return { broken: `the menu has no entry '${name}', which is its default`, unknown: undefined };
}

/** The label that starts without a key press. */
function chosenLabel({ labels, default: name, ontimeout }: Menu, isDrawn: boolean): Label | undefined {
  const wanted = ontimeout ?? name;
  const named = labels.find((label) => label.name === wanted?.split(/\s+/)[0]);
  if (isDrawn) return labels.find(({ isMenuDefault }) => isMenuDefault) ?? named ?? labels[0];
  return named ?? (name === undefined ? labels.find((label) => label.name === 'linux') : undefined);
}

async function judged(label: Label, menu: Menu, place: Place, folder: string): Promise<Choice> {
  const append = label.append === undefined ? menu.append : label.append;
  const words = [label.initrd === undefined ? '' : `initrd=${label.initrd}`, append === '-' ? '' : append].filter(
    (each) => each !== '',
  );
  const line = words.join(' ');
  const lists = line.split(/\s+/).filter((word) => word.startsWith('initrd='));
  const initrdPaths = (lists.at(-1)?.slice(7) ?? '').split(',').filter((path) => path !== '');
  const initrds: BootFile[] = [];
  let broken: string | undefined;
  const kernel = await place.file(resolve(label.kernel, folder));
  if (kernel === undefined) broken = `isolinux finds no kernel at ${label.kernel}`;
  for (const path of initrdPaths) {
    const file = await place.file(resolve(path, folder));
    if (file === undefined) broken ??= `isolinux finds no initrd at ${path}`;
    else initrds.push(file);
  }
  return {
    title: label.name,
    kernelPath: label.kernel,
    initrdPaths,
    kernel,
    initrds,
    arguments: [`BOOT_IMAGE=${label.kernel}`, ...(line === '' ? [] : [line])].join(' '),
    menus: menu.files,
    broken,
    unknown: /\.(c32|cbt|0|bin|bss)$/i.test(label.kernel)
      ? `the entry '${label.name}' starts ${label.kernel}`
      : undefined,
  };
}

async function readMenu(
  menu: Menu,
  place: Place,
  folder: string,
  file: BootFile,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (menu.files.length >= MAX_FILES) return;
  menu.files.push(file);
  let label: Label | undefined;
  let isText = false;
  for (const line of (await readText(file, signal)).split('\n')) {
    const [, command = '', rest = ''] = /^\s*(\S+)\s*([\s\S]*?)\s*$/.exec(line) ?? [];
    const word = command.toLowerCase();
    if (isText) isText = word !== 'endtext';
    else if (word === 'text') isText = true;
    else if (word === 'label') {
      label = {
        name: rest,
        kernel: rest,
        append: undefined,
        initrd: undefined,
        isMenuDefault: false,
        other: undefined,
      };
      menu.labels.push(label);
    } else if (word === 'include' || (word === 'menu' && /^include\s/i.test(rest))) {
      const path = (word === 'menu' ? rest.replace(/^include\s+/i, '') : rest).split(/\s+/)[0] ?? '';
      const included = await place.file(resolve(path, folder));
      if (included === undefined) menu.missing ??= path;
      else await readMenu(menu, place, folder, included, signal);
    } else if (label !== undefined && inLabel(label, word, rest)) continue;
    else if (word === 'default') menu.default = rest;
    else if (word === 'ui') menu.ui = rest;
    else if (word === 'ontimeout') menu.ontimeout = rest;
    else if (word === 'append') menu.append = rest;
  }
}

/** Reads a line into the label above it; false if it does not belong there. */
function inLabel(label: Label, word: string, rest: string): boolean {
  switch (word) {
    case 'kernel':
    case 'linux':
      label.kernel = rest;
      return true;
    case 'append':
      label.append = rest;
      return true;
    case 'initrd':
      label.initrd = rest;
      return true;
    case 'menu':
      if (/^default\b/i.test(rest)) label.isMenuDefault = true;
      return true;
    case 'localboot':
    case 'boot':
    case 'bss':
    case 'pxe':
    case 'fdimage':
    case 'comboot':
    case 'com32':
    case 'config':
      label.other = `'${word}'`;
      return true;
    default:
      return false;
  }
}

function isModule(name: string | undefined): boolean {
  return name !== undefined && /^\S+\.c32(\s|$)/i.test(name);
}

/** Paths are relative to the folder of the menu. */
function resolve(path: string, folder: string): string {
  return path.startsWith('/') ? path : `${folder}/${path}`;
}
