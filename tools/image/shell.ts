//! Programs that build the image: their output is shown only if they fail.
import { execFileSync } from 'node:child_process';

export interface ShellOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Its standard output, without the last line break. */
export function shell(program: string, args: readonly string[], options: ShellOptions = {}) {
  const { cwd, env = {} } = options;
  try {
    return execFileSync(program, args, {
      cwd,
      env: { ...process.env, ...env },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 2 ** 26,
    }).trimEnd();
  } catch (error) {
    const {
      code,
      stderr = '',
      stdout = '',
    } = error as {
      code?: string;
      stderr?: string;
      stdout?: string;
    };
    if (code === 'ENOENT')
      throw new Error(`${program} is not installed: apt-get install buildah mmdebstrap`);
    throw new Error(`${program} ${args[0] ?? ''} failed:\n${stderr}${stdout}`.trimEnd());
  }
}
