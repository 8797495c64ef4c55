/** The options of `coreos-installer install` 0.27.0, as its help lists them. */
export const INSTALLER_OPTIONS: Readonly<Record<string, 'flag' | 'value'>> = {
  '--config-file': 'value',
  '--stream': 'value',
  '--image-url': 'value',
  '--image-file': 'value',
  '--ignition-file': 'value',
  '--ignition-url': 'value',
  '--ignition-hash': 'value',
  '--architecture': 'value',
  '--platform': 'value',
  '--console': 'value',
  '--append-karg': 'value',
  '--delete-karg': 'value',
  '--copy-network': 'flag',
  '--network-dir': 'value',
  '--save-partlabel': 'value',
  '--save-partindex': 'value',
  '--offline': 'flag',
  '--insecure': 'flag',
  '--insecure-ignition': 'flag',
  '--stream-base-url': 'value',
  '--preserve-on-error': 'flag',
  '--fetch-retries': 'value',
  '--secure-ipl': 'flag',
  '--help': 'flag',
};

/** The hidden option; CoreOS' own installer service uses it. */
export const HIDDEN_OPTIONS: typeof INSTALLER_OPTIONS = { '--firstboot-args': 'value' };

/** The arguments of an installation: the device, and the values of each option. */
export interface InstallRequest {
  readonly device: string;
  readonly options: Readonly<Record<string, readonly string[]>>;
}

/** Parses the arguments of an installation as the real program would; throws if that would refuse them. */
export function readInstallArguments([command, ...rest]: readonly string[]): InstallRequest {
  if (command !== 'install') throw new Error(`not an installation: ${command}`);
  const options: Record<string, string[]> = {};
  const devices: string[] = [];
  while (rest.length > 0) {
    const argument = rest.shift() ?? '';
    if (!argument.startsWith('-')) {
      devices.push(argument);
      continue;
    }
    const [name = '', ...attached] = argument.split('=');
    const kind = INSTALLER_OPTIONS[name] ?? HIDDEN_OPTIONS[name];
    const value = attached.length > 0 ? attached.join('=') : kind === 'value' ? rest.shift() : '';
    if (kind === undefined || value === undefined) throw new Error(`coreos-installer install takes no ${argument}`);
    if (kind === 'flag' && attached.length > 0) throw new Error(`${name} takes no value`);
    options[name] = [...(options[name] ?? []), value];
  }
  const [device, ...more] = devices;
  if (device === undefined || more.length > 0) throw new Error(`one device is installed to, not ${devices.length}`);
  return { device, options };
}
