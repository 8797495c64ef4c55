import { SERVICE_SCRIPTS } from './generated/scripts.ts';

/**
 * A shell script that collects, as root, what is needed to understand why a machine does not go on, without secrets: with the
 * argument `-O` it writes an archive to standard output (tar with xz). Images with a service have it as `agent-gather`.
 *
 * @example spawn('ssh', ['core@192.0.2.10', 'sudo sh -s -- -O']).stdin.end(GATHER_SCRIPT)
 */
export const GATHER_SCRIPT: string = SERVICE_SCRIPTS['agent-gather'];
