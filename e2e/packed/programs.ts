import { execFile } from 'node:child_process';

export interface ProgramRun {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs a program to its end, without blocking this process, which may have to serve it. */
export function run(program: string, args: readonly string[], { cwd, env = {} }: RunOptions = {}): Promise<ProgramRun> {
  return new Promise((resolve, reject) => {
    const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 1 << 28, timeout: 280_000 };
    const child = execFile(program, [...args], options, (error, stdout, stderr) => {
      const status = error === null ? 0 : error.code;
      if (typeof status === 'number') resolve({ status, stdout, stderr });
      else reject(error);
    });
    child.stdin?.end();
  });
}

/** The output of a program that must succeed. */
export async function output(program: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  const { status, stdout, stderr } = await run(program, args, options);
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: exit ${status}\n${stdout}${stderr}`);
  return stdout;
}
