import { type Diagnostic, diagnostic } from '@coreiso/diagnostics';
import { fileNameFault } from '@coreiso/peers/file-name';
import { fileName } from '@coreiso/peers/rust';
import { IgnitionError } from '../errors.ts';
import { type BootFacts, bootProblems } from './boot-checks.ts';
import { consoleHint, normalizeConsole } from './console.ts';
import { describeBoot } from './describe.ts';
import { addInstallScript, type ScriptStage } from './install-script.ts';
import { readInstallerConfig } from './installer-config.ts';
import { type InstallerSettings, installerYaml } from './installer-yaml.ts';
import { LiveConfig } from './live-config.ts';
import { networkStateRefusal, stateText } from './network-state.ts';
import type { Customization, CustomizeContext, CustomizeOptions, NamedInput } from './options.ts';
import { Refusal, unsupportedByImage } from './refusal.ts';
import { readUserConfig, type UserConfig } from './user-config.ts';

const KEYFILE_DIRECTORY = 'etc/coreos-firstboot-network';
const INSTALLER_DIRECTORY = '/etc/coreos/installer.d';
const DEST_CONFIG = '/etc/coreos/dest.ign';
const PRIVATE_MODE = 0o600;
const PXE_KARGS_MESSAGE =
  'PXE configuration must include kernel arguments:\n\tignition.firstboot ignition.platform.id=metal';

const utf8 = new TextEncoder();

/** The state of one customisation: the result of the options so far. */
export class Run {
  readonly diagnostics: Diagnostic[] = [];
  readonly #options: CustomizeOptions;
  readonly #context: CustomizeContext;
  readonly #messages: string[] = [];
  readonly #keyfiles = new Map<string, Customization['changes']['keyfiles'][number]>();
  readonly #userDest: UserConfig[] = [];
  readonly #authorities: Uint8Array[] = [];
  readonly #facts: BootFacts;
  #live: LiveConfig | undefined;
  #settings: InstallerSettings | undefined;
  #hasNetwork = false;
  #installerFiles = 0;

  constructor(options: CustomizeOptions, context: CustomizeContext) {
    this.#options = options;
    this.#context = context;
    this.#facts = { options, userConfigs: [], scripts: [], installerConfigs: [], runsInstaller: false };
  }

  async customize(): Promise<Customization> {
    const options = this.#options;
    // Upstream reads these with the command line, before any file.
    const consoles = (options.destConsole ?? []).map(readConsole);
    for (const input of options.destIgnition ?? []) this.#userDest.push(await this.#userConfig(input));
    this.#installerOptions(consoles);
    for (const input of options.networkKeyfile ?? []) await this.#networkKeyfile(input);
    for (const input of options.networkNmstate ?? []) await this.#networkState(input);
    for (const input of options.ignitionCa ?? []) {
      const certificates = await this.#read(input);
      this.#liveConfig().addAuthority(certificates);
      this.#authorities.push(certificates);
    }
    for (const input of options.preInstall ?? []) await this.#script('pre', input);
    for (const input of options.postInstall ?? []) await this.#script('post', input);
    for (const input of options.installerConfig ?? []) await this.#installerConfig(input);
    for (const input of options.liveIgnition ?? []) this.#liveConfig().merge((await this.#userConfig(input)).json);
    return this.#assemble();
  }

  #installerOptions(consoles: string[]): void {
    const { destDevice, destKargAppend = [], destKargDelete = [] } = this.#options;
    if (destDevice !== undefined) this.#installer().destDevice = destDevice;
    if (consoles.length > 0) {
      const { installerConfigDirectives: directives } = this.#context.features;
      if (directives?.console !== true) throw unsupportedByImage('the destination console');
      this.#installer().console = consoles;
    }
    const hint = consoleHint(destKargAppend);
    if (hint !== undefined) this.#say(hint);
    if (destKargAppend.length > 0) this.#installer().appendKarg = [...destKargAppend];
    if (destKargDelete.length > 0) this.#installer().deleteKarg = [...destKargDelete];
  }

  async #userConfig(input: NamedInput): Promise<UserConfig> {
    const bytes = await this.#read(input);
    const config = readUserConfig(bytes, input.name, { newer: this.#context.newer ?? 'pass' });
    if (!config.newer) this.#facts.userConfigs.push({ name: input.name, bytes });
    for (const { path, range } of config.unused) {
      const message = `unused key: $.${path.join('.')}`;
      this.#say(`Warning parsing ${input.name}: ${message}`);
      this.diagnostics.push(
        diagnostic(
          { severity: 'warning', code: 'ignition/unused-key', message: `${input.name}: ${message}`, path },
          range,
        ),
      );
    }
    if (config.newer) {
      this.diagnostics.push(
        diagnostic({
          severity: 'warning',
          code: 'ignition/version-newer',
          message: `${input.name}: spec ${config.version} is newer than the specs that coreiso knows; the config is embedded unchanged`,
          path: ['ignition', 'version'],
        }),
      );
    }
    return config;
  }

  async #networkKeyfile(input: NamedInput): Promise<void> {
    this.#requireNetwork();
    const content = await this.#read(input);
    const name = nameOf(input);
    this.#addKeyfile({ name, content }, name);
  }

  async #networkState(input: NamedInput): Promise<void> {
    this.#requireNetwork();
    const bytes = await this.#read(input, 'opening nmstate file');
    const { toKeyfiles } = this.#context;
    if (toKeyfiles === undefined) throw new TypeError('toKeyfiles must be given with networkNmstate');
    const outcome = await toKeyfiles(stateText(input.name, bytes));
    this.diagnostics.push(...outcome.diagnostics.filter(({ severity }) => outcome.ok || severity !== 'error'));
    if (!outcome.ok) throw networkStateRefusal(input.name, outcome.diagnostics);
    for (const keyfile of outcome.value) this.#addKeyfile(keyfile, `${KEYFILE_DIRECTORY}/${keyfile.name}`);
    this.#hasNetwork = true;
  }

  #requireNetwork(): void {
    if (this.#context.features.liveInitrdNetwork !== true) throw unsupportedByImage('network settings');
  }

  #addKeyfile(keyfile: Customization['changes']['keyfiles'][number], shownAs: string): void {
    if (this.#keyfiles.has(keyfile.name)) {
      throw new Refusal('duplicate-keyfile', [`config already specifies keyfile ${shownAs}`]);
    }
    this.#keyfiles.set(keyfile.name, keyfile);
    this.#hasNetwork = true;
  }

  async #script(stage: ScriptStage, input: NamedInput): Promise<void> {
    const content = await this.#read(input);
    const name = nameOf(input);
    addInstallScript(this.#liveConfig(), stage, name, content);
    this.#facts.scripts.push({ stage, name, content });
  }

  async #installerConfig(input: NamedInput): Promise<void> {
    const bytes = await this.#read(input);
    const settings = readInstallerConfig(bytes, input.name);
    this.#addInstallerFile(nameOf(input), bytes);
    this.#facts.installerConfigs.push({ name: input.name, settings });
  }

  #addInstallerFile(name: string, content: Uint8Array): void {
    if (this.#context.features.installerConfig !== true) throw unsupportedByImage('installer configuration');
    const number = String(this.#installerFiles).padStart(4, '0');
    this.#liveConfig().addFile(`${INSTALLER_DIRECTORY}/${number}-${name}`, content, PRIVATE_MODE);
    this.#installerFiles += 1;
  }

  #assemble(): Customization {
    this.#context.signal?.throwIfAborted();
    if (this.#userDest.length > 0) {
      this.#liveConfig().addFile(DEST_CONFIG, this.#destConfig(), PRIVATE_MODE);
      this.#installer().ignitionFile = DEST_CONFIG;
    }
    const runsInstaller = this.#installerFiles > 0 || this.#settings !== undefined;
    this.#facts.runsInstaller = runsInstaller;
    if (runsInstaller) {
      const device = this.#settings?.destDevice;
      this.#say(
        device === undefined
          ? 'Boot media will automatically run installer.'
          : `Boot media will automatically install to ${device} without confirmation.`,
      );
      if (this.#hasNetwork) this.#installer().copyNetwork = true;
    }
    if (this.#settings !== undefined) {
      this.#addInstallerFile('customize.yaml', utf8.encode(installerYaml(this.#settings)));
    }
    const changes = this.#changes();
    this.#checkBoot(changes);
    if (changes.ignition !== null && this.#context.target === 'pxe') this.#say(PXE_KARGS_MESSAGE);
    const description = describeBoot(this.#facts, changes, this.#context.target ?? 'iso');
    return { changes, description, messages: this.#messages, runsInstaller };
  }

  /** A single config is embedded unchanged; several configs, or authorities, need a config that contains them. */
  #destConfig(): Uint8Array {
    const [only, ...others] = this.#userDest;
    if (only !== undefined && others.length === 0 && this.#authorities.length === 0) return only.file;
    const dest = new LiveConfig();
    for (const certificates of this.#authorities) dest.addAuthority(certificates);
    for (const { json } of this.#userDest) dest.merge(json);
    return dest.toBytes();
  }

  #changes(): Customization['changes'] {
    const { liveKargAppend: append = [], liveKargDelete = [], liveKargReplace: replace = [] } = this.#options;
    const asked = append.length + liveKargDelete.length + replace.length > 0;
    const { kargs = true, target } = this.#context;
    if (asked && (!kargs || target === 'pxe')) throw unsupportedByImage('live kernel arguments');
    return {
      ignition: this.#live?.toBytes() ?? null,
      keyfiles: [...this.#keyfiles.values()],
      files: [],
      ...(asked ? { kargs: { reset: true, append, delete: liveKargDelete, replace } } : {}),
    };
  }

  /** Findings about settings that upstream accepts but that fail on the machine. */
  #checkBoot(changes: Customization['changes']): void {
    const isStrict = (this.#context.mode ?? 'strict') === 'strict';
    const problems = [...bootProblems(this.#facts, changes)];
    const findings = problems.map(({ code, message, help, path = [], range }) =>
      diagnostic({ severity: isStrict ? 'error' : 'warning', code: `ignition/${code}`, message, help, path }, range),
    );
    const [first] = problems;
    if (isStrict && first !== undefined) {
      throw new Refusal(first.code, [first.message], { ...first, others: findings.slice(1) });
    }
    this.diagnostics.push(...findings);
  }

  #liveConfig(): LiveConfig {
    this.#live ??= new LiveConfig();
    return this.#live;
  }

  #installer(): InstallerSettings {
    this.#settings ??= {};
    return this.#settings;
  }

  #say(message: string): void {
    this.#messages.push(message);
    this.#context.onMessage?.(message);
  }

  async #read(input: NamedInput, context = `reading ${input.name}`): Promise<Uint8Array> {
    this.#context.signal?.throwIfAborted();
    let content: Uint8Array | string;
    try {
      content = await input.read();
    } catch (cause) {
      throw new IgnitionError('IGNITION_UNREADABLE_INPUT', context, { cause });
    }
    return typeof content === 'string' ? utf8.encode(content) : content;
  }
}

function readConsole(spec: string): string {
  const reading = normalizeConsole(spec);
  if ('console' in reading) return reading.console;
  throw new Refusal('invalid-console', [`destConsole ${JSON.stringify(spec)}: ${reading.reason}`]);
}

function nameOf(input: NamedInput): string {
  const name = fileName(input.name);
  if (name === undefined) throw new Refusal('missing-file-name', [`missing filename in ${input.name}`]);
  // Upstream accepts any name, and a line end in it would add a line to the unit that runs the script.
  const fault = fileNameFault(name);
  if (fault === undefined) return name;
  const words = `invalid file name ${JSON.stringify(name)}: ${fault}`;
  throw new Refusal('unsafe-file-name', [words], { help: 'Rename the file.' });
}
