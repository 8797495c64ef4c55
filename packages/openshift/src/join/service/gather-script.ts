import { SERVICE_SCRIPTS } from './generated/scripts.ts';

/**
 * A shell script that collects logs and state of a machine for debugging, as root and without secrets. With `-O` it writes an
 * archive to standard output (tar with xz). Images with a service contain it as `agent-gather`.
 *
 * @example spawn('ssh', ['core@192.0.2.10', 'sudo sh -s -- -O']).stdin.end(GATHER_SCRIPT)
 */
export const GATHER_SCRIPT: string = SERVICE_SCRIPTS['agent-gather'];
