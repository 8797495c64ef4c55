// Runs a menu as GRUB does, then the default entry.
import { parseGrubScript, type Statement, type Word } from './grub-script.ts';
import { type BootFile, type Place, readText } from './places.ts';

/** The result of a command; `undefined` if unknown. */
type Status = boolean | undefined;

interface MenuEntry {
  readonly title: string;
  readonly id: string;
  readonly isSubmenu: boolean;
  readonly body: readonly Statement[];
}

/** The choice of a boot loader, and all problems that were found. */
export interface Choice {
  readonly title: string;
  /** Paths as written in the menu. */
  readonly kernelPath: string | undefined;
  readonly initrdPaths: readonly string[];
  readonly kernel: BootFile | undefined;
  readonly initrds: readonly BootFile[];
  readonly arguments: string;
  /** The files that were read, ending with the one that has the entry. */
  readonly menus: readonly BootFile[];
  /** Why it would not start. */
  readonly broken: string | undefined;
  /** Why the choice is unknown. */
  readonly unknown: string | undefined;
}

/** A file system, with its name in GRUB. */
export interface Device {
  readonly name: string;
  readonly place: Place;
}

/** How GRUB was started. */
export interface GrubStart {
  /** All file systems; GRUB was loaded from the first one. */
  readonly devices: readonly Device[];
  readonly prefix: string;
  /** Commands built into it. */
  readonly config: string;
  readonly cpu: string;
  readonly platform: 'efi' | 'pc' | 'ieee1275';
  readonly signal?: AbortSignal | undefined;
}

const MAX_STEPS = 20_000;
const MAX_FILES = 64;

/** The end of a run: something boots. */
class BootReached extends Error {}

export async function chooseWithGrub(start: GrubStart): Promise<Choice> {
  const grub = new Grub(start);
  try {
    await grub.runConfigs();
    await grub.startDefault();
  } catch (error) {
    if (!(error instanceof BootReached)) throw error;
  }
  return grub.choice();
}

class Grub {
  readonly #start: GrubStart;
  readonly #variables = new Map<string, string | undefined>();
  readonly #functions = new Map<string, readonly Statement[]>();
  readonly #menus: BootFile[] = [];
  #entries: MenuEntry[] = [];
  #title = '';
  #kernelPath: string | undefined;
  #kernel: BootFile | undefined;
  #arguments = '';
  #initrdPaths: string[] = [];
  #initrds: BootFile[] = [];
  #broken: string | undefined;
  #unknown: string | undefined;
  #problem: string | undefined;
  #failedSearch: string | undefined;
  #steps = 0;
  #uncertain = 0;
  #functionDepth = 0;

  constructor(start: GrubStart) {
    this.#start = start;
    this.#variables.set('grub_cpu', start.cpu);
    this.#variables.set('grub_platform', start.platform);
    this.#variables.set('menuentry_id_option', '--id');
    this.#variables.set('feature_menuentry_id', 'y');
    this.#variables.set('feature_platform_search_hint', 'y');
    this.#variables.set('feature_all_video_module', 'y');
    this.#variables.set('feature_default_font_path', 'y');
    // The default device is the one that GRUB was loaded from; `()` is the drive without its partition.
    const [, device = start.devices[0]?.name, folder = start.prefix] = /^\(([^)]*)\)(.*)$/.exec(start.prefix) ?? [];
    const root = device === '' ? start.devices.find(({ place }) => place.kind === 'iso')?.name : device;
    this.#variables.set('root', root ?? '');
    this.#variables.set('prefix', `(${root})${folder}`);
  }

  choice(): Choice {
    return {
      title: this.#title,
      kernelPath: this.#kernelPath,
      initrdPaths: this.#initrdPaths,
      kernel: this.#kernel,
      initrds: this.#initrds,
      arguments: this.#arguments,
      menus: this.#menus,
      broken: this.#broken,
      unknown: this.#unknown,
    };
  }

  /** Runs the built-in commands, then the menu at the prefix. */
  async runConfigs(): Promise<void> {
    await this.#run(parseGrubScript(this.#start.config).statements);
    if (this.#entries.length > 0) return;
    const menu = `${this.#variables.get('prefix')}/grub.cfg`;
    if ((await this.#runFile(menu)) === false) {
      const why = this.#failedSearch === undefined ? '' : ` (${this.#failedSearch})`;
      this.#broken = `GRUB finds no menu at ${menu}${why}`;
      throw new BootReached();
    }
  }

  async startDefault(): Promise<void> {
    if (this.#kernelPath !== undefined || this.#broken !== undefined) return;
    const wanted = this.#variables.get('default');
    if (this.#variables.has('default') && wanted === undefined) {
      this.#unknown ??= 'the default entry of the menu depends on the machine';
    }
    let entries = this.#entries;
    let [name = '', ...rest] = (wanted ?? '').split('>');
    for (let depth = 0; depth < 8; depth++) {
      const entry =
        entries.find(({ id, title }, index) => id === name || title === name || `${index}` === name) ?? entries[0];
      if (entry === undefined) break;
      this.#title = entry.title;
      if (!entry.isSubmenu) {
        await this.#run(entry.body);
        break;
      }
      this.#entries = [];
      await this.#run(entry.body);
      entries = this.#entries;
      [name = '', ...rest] = rest;
    }
    this.#judgeEntry();
  }

  #judgeEntry(): void {
    if (this.#kernelPath !== undefined || this.#unknown !== undefined || this.#broken !== undefined) return;
    const why = [this.#problem, this.#failedSearch].filter((each) => each !== undefined).join('; ');
    const where = this.#title === '' ? 'the menu' : `the entry '${this.#title}'`;
    this.#broken = `${where} starts no kernel${why === '' ? '' : ` (${why})`}`;
  }

  async #run(statements: readonly Statement[]): Promise<Status> {
    let status: Status = true;
    for (const statement of statements) {
      if (++this.#steps > MAX_STEPS) {
        this.#unknown ??= 'the menu does not end';
        throw new BootReached();
      }
      status = await this.#statement(statement);
    }
    return status;
  }

  async #statement(statement: Statement): Promise<Status> {
    switch (statement.kind) {
      case 'command':
        return this.#command(statement.words);
      case 'if':
        return this.#if(statement);
      case 'loop':
        return this.#maybe(statement.body);
      case 'function':
        this.#functions.set(statement.name, statement.body);
        return true;
      default: {
        const words = this.#expandAll(statement.words).map((word) => word ?? '');
        const id =
          words.find((_, index) => words[index - 1] === '--id') ??
          words.find((word) => word.startsWith('--id='))?.slice(5);
        this.#entries.push({
          title:
            words.find(
              (word, index) =>
                !word.startsWith('--') && !/^--(id|class|users|hotkey|source)$/.test(words[index - 1] ?? ''),
            ) ?? '',
          id: id ?? '',
          isSubmenu: statement.kind === 'submenu',
          body: statement.body,
        });
        return true;
      }
    }
  }

  async #if({ branches, otherwise }: Extract<Statement, { kind: 'if' }>): Promise<Status> {
    let mayGoOn = false;
    for (const { condition, body } of branches) {
      const status = await this.#run(condition);
      if (status === true) return mayGoOn ? this.#maybe(body) : this.#run(body);
      if (status === undefined) {
        mayGoOn = true;
        await this.#maybe(body);
      }
    }
    return mayGoOn ? this.#maybe(otherwise) : this.#run(otherwise);
  }

  /** Runs commands that GRUB may skip: the variables that they set are unknown afterwards. */
  async #maybe(body: readonly Statement[]): Promise<Status> {
    this.#uncertain++;
    await this.#run(body);
    this.#uncertain--;
    return undefined;
  }

  async #command(words: readonly Word[]): Promise<Status> {
    const expanded = this.#expandAll(words);
    const [name, ...args] = expanded;
    if (name === undefined) return undefined;
    const assignment = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(name === 'set' ? (args[0] ?? '') : name);
    if (assignment !== null) {
      const isKnown = !(name === 'set' ? args.slice(0, 1) : [name]).includes(undefined);
      this.#set(assignment[1] ?? '', isKnown ? assignment[2] : undefined);
      return true;
    }
    if (name === 'set') {
      const [word] = words.slice(1);
      const [first] = word ?? [];
      if (first !== undefined && 'text' in first && first.text.endsWith('='))
        this.#set(first.text.slice(0, -1), undefined);
      return true;
    }
    const known = this.#functions.get(name);
    if (known !== undefined) {
      if (this.#functionDepth >= 32) return undefined;
      this.#functionDepth++;
      const status = await this.#run(known);
      this.#functionDepth--;
      return status;
    }
    return this.#builtIn(name, args);
  }

  async #builtIn(name: string, args: readonly (string | undefined)[]): Promise<Status> {
    switch (name) {
      case '[':
        return this.#test(args.at(-1) === ']' ? args.slice(0, -1) : args);
      case 'test':
        return this.#test(args);
      case 'search':
        return this.#search(args);
      case 'search.fs_uuid':
      case 'search.fs_label':
      case 'search.file':
        return this.#searchFor(name.slice(7), args[0], args[1] ?? 'root');
      case 'configfile':
      case 'normal':
      case 'source':
      case '.':
        return this.#runConfig(
          name,
          args[0] ?? (name === 'normal' ? `${this.#variables.get('prefix')}/grub.cfg` : undefined),
        );
      case 'linux':
      case 'linuxefi':
      case 'linux16':
        return this.#linux(args);
      case 'initrd':
      case 'initrdefi':
      case 'initrd16':
        return this.#initrd(args);
      case 'boot':
        if (this.#kernelPath !== undefined) throw new BootReached();
        return false;
      case 'unset':
        this.#variables.delete(args[0] ?? '');
        return true;
      case 'true':
      case 'echo':
      case 'export':
      case 'insmod':
      case 'terminal_output':
      case 'terminal_input':
        return true;
      case 'false':
        return false;
      case 'chainloader':
      case 'multiboot':
      case 'multiboot2':
      case 'loopback':
      case 'kernel':
      case 'exit':
      case 'devicetree':
        if (this.#title !== '' && name !== 'devicetree') this.#unknown ??= `the entry '${this.#title}' uses ${name}`;
        return undefined;
      case 'load_env':
        for (const each of ['saved_entry', 'next_entry', 'default_entry']) this.#set(each, undefined);
        return undefined;
      default:
        return undefined;
    }
  }

  async #linux(args: readonly (string | undefined)[]): Promise<Status> {
    const [path, ...rest] = args;
    if (args.includes(undefined)) this.#unknown ??= 'the kernel or its arguments depend on the machine';
    if (path === undefined || this.#uncertain > 0) {
      this.#unknown ??= 'the choice of the kernel depends on the machine';
      return undefined;
    }
    this.#kernelPath = path;
    this.#initrdPaths = [];
    this.#initrds = [];
    this.#arguments = [`BOOT_IMAGE=${path}`, ...rest.map((word) => quoteArgument(word ?? ''))].join(' ');
    const file = await this.#file(path);
    if (file === 'elsewhere') this.#unknown ??= `${path} is on a device that is not part of the image`;
    else if (file === undefined) this.#broken ??= `GRUB finds no kernel at ${path}`;
    else this.#kernel = file;
    return file !== undefined;
  }

  async #initrd(args: readonly (string | undefined)[]): Promise<Status> {
    if (this.#kernelPath === undefined && this.#unknown === undefined)
      this.#broken ??= 'GRUB is given an initrd before a kernel';
    for (const path of args) {
      if (path === undefined) {
        this.#unknown ??= 'the initrds depend on the machine';
        continue;
      }
      this.#initrdPaths.push(path);
      const file = await this.#file(path);
      if (file === 'elsewhere') this.#unknown ??= `${path} is on a device that is not part of the image`;
      else if (file === undefined) this.#broken ??= `GRUB finds no initrd at ${path}`;
      else this.#initrds.push(file);
    }
    return true;
  }

  async #runConfig(command: string, path: string | undefined): Promise<Status> {
    if (path === undefined) {
      this.#unknown ??= 'the place of the menu depends on the machine';
      return undefined;
    }
    const status = await this.#runFile(path);
    const isMenu = command === 'configfile' || command === 'normal';
    if (status !== false && isMenu && this.#entries.length > 0 && this.#uncertain === 0) {
      await this.startDefault();
      throw new BootReached();
    }
    if (status === false && isMenu) this.#failedSearch ??= `there is no ${path}`;
    return status;
  }

  async #runFile(path: string): Promise<Status> {
    const file = await this.#file(path);
    if (file === 'elsewhere') {
      this.#unknown ??= `${path} is on a device that is not part of the image`;
      return undefined;
    }
    if (file === undefined) return false;
    if (this.#menus.length >= MAX_FILES) {
      const why = this.#failedSearch === undefined ? '' : ` (${this.#failedSearch})`;
      this.#broken ??= `GRUB reads ${path} in a loop${why}`;
      throw new BootReached();
    }
    this.#menus.push(file);
    const { statements, problem } = parseGrubScript(await readText(file, this.#start.signal));
    this.#problem ??= problem;
    return this.#run(statements);
  }

  /** `(device)/path`, or a path on the device that `root` names. */
  async #file(path: string): Promise<BootFile | 'elsewhere' | undefined> {
    const [, name = this.#variables.get('root'), rest = path] = /^\(([^)]*)\)([\s\S]*)$/.exec(path) ?? [];
    const device = name === '' ? this.#variables.get('root') : name;
    const place = this.#start.devices.find((each) => each.name === device)?.place;
    return place === undefined ? 'elsewhere' : place.file(rest);
  }

  async #search(args: readonly (string | undefined)[]): Promise<Status> {
    let kind = 'fs_label';
    let variable: string | undefined;
    let wanted: string | undefined;
    let isWanted = false;
    for (let index = 0; index < args.length; index++) {
      const arg = args[index];
      if (arg === '--label' || arg === '-l') kind = 'fs_label';
      else if (arg === '--fs-uuid' || arg === '-u') kind = 'fs_uuid';
      else if (arg === '--file' || arg === '-f') kind = 'file';
      else if (arg?.startsWith('--set=')) variable = arg.slice(6);
      else if (arg === '--set' || arg === '-s') {
        variable = 'root';
        // The next argument is the variable's name, if another one is left to search for.
        if (
          args[index + 1] !== undefined &&
          !args[index + 1]?.startsWith('-') &&
          (isWanted || args.slice(index + 2).some((each) => !each?.startsWith('-')))
        ) {
          variable = args[++index];
        }
      } else if (arg === '--hint') index++;
      else if (arg?.startsWith('-')) continue;
      else {
        wanted = arg;
        isWanted = true;
      }
    }
    return this.#searchFor(kind, isWanted ? wanted : undefined, variable);
  }

  async #searchFor(kind: string, wanted: string | undefined, variable: string | undefined): Promise<Status> {
    if (wanted === undefined) {
      if (variable !== undefined) this.#set(variable, undefined);
      return undefined;
    }
    for (const { name, place } of this.#start.devices) {
      const found =
        kind === 'file'
          ? (await place.file(wanted)) !== undefined
          : kind === 'fs_uuid'
            ? place.uuid.toLowerCase() === wanted.toLowerCase()
            : place.label === wanted;
      if (!found) continue;
      if (variable !== undefined) this.#set(variable, name);
      return true;
    }
    const what = { file: 'a file', fs_uuid: 'the identifier', fs_label: 'the label' }[kind];
    this.#failedSearch ??= `nothing has ${what} ${wanted}, which GRUB searches for`;
    return false;
  }

  async #test(args: readonly (string | undefined)[]): Promise<Status> {
    const [first, operator, second] = args;
    if (first === '!') {
      const status = await this.#test(args.slice(1));
      return status === undefined ? undefined : !status;
    }
    for (const [word, isOr] of [
      ['-o', true],
      ['-a', false],
    ] as const) {
      const at = args.indexOf(word);
      if (at <= 0) continue;
      const [left, right] = [await this.#test(args.slice(0, at)), await this.#test(args.slice(at + 1))];
      if (left === isOr || right === isOr) return isOr;
      return left === undefined || right === undefined ? undefined : !isOr;
    }
    if (args.includes(undefined)) return undefined;
    if (args.length === 0) return false;
    if (args.length === 1) return first !== '';
    if (args.length === 2) {
      const operand = operator ?? '';
      if (first === '-z') return operand === '';
      if (first === '-n') return operand !== '';
      if (first !== '-e' && first !== '-f' && first !== '-s' && first !== '-d') return undefined;
      const file = await this.#file(operand);
      if (file === 'elsewhere') return undefined;
      if (file !== undefined) return first !== '-d' && (first !== '-s' || file.content.size > 0);
      return first === '-d' || first === '-e' ? undefined : false;
    }
    if (operator === '=' || operator === '==') return first === second;
    if (operator === '!=') return first !== second;
    return undefined;
  }

  #set(name: string, value: string | undefined): void {
    this.#variables.set(name, this.#uncertain > 0 && this.#variables.get(name) !== value ? undefined : value);
  }

  /** Expands the variables in words; `undefined` for words that depend on the machine. */
  #expandAll(words: readonly Word[]): (string | undefined)[] {
    return words.flatMap((word) => {
      let text: string | undefined = '';
      let isQuoted = false;
      for (const part of word) {
        isQuoted ||= part.quoted;
        if ('text' in part) text = text === undefined ? undefined : text + part.text;
        else {
          const isUnknown = this.#variables.has(part.variable) && this.#variables.get(part.variable) === undefined;
          text = isUnknown || text === undefined ? undefined : text + (this.#variables.get(part.variable) ?? '');
        }
      }
      // An unquoted variable becomes no word if it is empty, and several if its value has spaces.
      if (text === undefined || isQuoted || !word.some((part) => 'variable' in part)) return [text];
      return text.split(/\s+/).filter((each) => each !== '');
    });
  }
}

/** Quotes arguments with spaces, as GRUB passes them on (grub_create_loader_cmdline). */
function quoteArgument(word: string): string {
  const escaped = word.replaceAll(/[\\'"]/g, '\\$&');
  return word.includes(' ') ? `"${escaped}"` : escaped;
}
