import type { Terminal } from '../frame/terminal.ts';

/** Under this name the program embeds any bytes silently, for scripts; as coreiso it warns a person at a terminal. */
const STAND_IN = 'coreos-installer';

/** Warns of a config that is empty or not JSON, which no machine accepts. The bytes are embedded anyway. */
export async function warnOfNoConfig(terminal: Terminal, config: Uint8Array, name: string): Promise<void> {
  // Checked last: opening the stream takes a tenth of the command's time.
  if (terminal.io.invokedAs === STAND_IN || isJson(config) || terminal.io.stderr.isTTY !== true) return;
  const { decodeText, parseJson } = await import('@coreiso/diagnostics');
  const decoded = decodeText(config);
  const isBlank = config.length === 0 || (decoded.ok && decoded.value.text.trim() === '');
  if (isBlank) {
    terminal.say(`warning: ${name} is empty: Ignition stops the boot`);
    terminal.say('help: remove a config from an image with coreiso iso ignition remove');
  } else if (!decoded.ok || !parseJson(decoded.value.text).ok) {
    terminal.say(`warning: ${name} is not JSON: Ignition stops the boot`);
    terminal.say('help: find the mistakes with coreiso ignition check');
  }
}

function isJson(config: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(config));
    return true;
  } catch {
    return false;
  }
}
