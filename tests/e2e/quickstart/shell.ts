//! Terminals of a new user, whose machine has Node.js and npm but no PostgreSQL.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Terminal {
  readonly pid: number;
  readonly output: () => string;
  /** Waits for a text in the output; throws with the output if the command ends without it. */
  shows(like: RegExp, msMax: number): Promise<void>;
  /** Waits for the command's end; throws unless it succeeds. */
  ends(msMax: number): Promise<void>;
  /** Sends Ctrl-C; returns the time until all processes of the command are gone. */
  interrupt(): Promise<number>;
}

/** The programs that npm, npx and Node.js call; none of PostgreSQL's is among them. */
const PROGRAMS = ['sh', 'env', 'node', 'npm', 'npx', 'curl', 'id', 'uname', 'dirname', 'sed'];

/** Creates a folder for PATH with these programs only. */
export function createPath(folder: string): string {
  mkdirSync(folder, { recursive: true });
  for (const program of PROGRAMS) {
    const found = execFileSync('sh', ['-c', `command -v ${program} || true`], { encoding: 'utf8' });
    const path = program === 'node' ? process.execPath : found.trim();
    if (path !== '') symlinkSync(path, join(folder, program));
  }
  return folder;
}

/** Inherits only the variables that say where packages come from. */
export function userEnvironment(
  path: string,
  extra: Readonly<Record<string, string>>,
): Record<string, string> {
  const inherited =
    /^(HOME|TMPDIR|LANG|https?_proxy|HTTPS?_PROXY|NODE_EXTRA_CA_CERTS|no_proxy|NO_PROXY)$/;
  const npm = /^npm_config_(registry|cache|userconfig|prefer_offline|offline)$/i;
  const passed = Object.entries(process.env).filter(
    ([name]) => inherited.test(name) || npm.test(name),
  );
  return { ...(Object.fromEntries(passed) as Record<string, string>), PATH: path, ...extra };
}

export function openTerminal(
  line: string,
  { folder, env }: { readonly folder: string; readonly env: Record<string, string> },
): Terminal {
  // Its own process group, as in a terminal: Ctrl-C goes to all of it.
  const child = spawn('sh', ['-c', line], {
    cwd: folder,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const take = (chunk: unknown) => {
    output += String(chunk);
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  return {
    pid: child.pid as number,
    output: () => output,
    shows: async (like, msMax) => {
      const deadline = performance.now() + msMax;
      while (!like.test(output)) {
        if (hasEnded(child)) throw new Error(`\`${line}\` ended without ${like}:\n${output}`);
        if (performance.now() > deadline)
          throw new Error(`\`${line}\` did not show ${like} in ${msMax / 1000} s:\n${output}`);
        await sleep(20);
      }
    },
    ends: async (msMax) => {
      await Promise.race([ended, sleep(msMax, undefined, { ref: false })]);
      if (child.exitCode !== 0)
        throw new Error(`\`${line}\` ended with ${child.exitCode}:\n${output}`);
    },
    interrupt: async () => {
      const startedAt = performance.now();
      if (!hasEnded(child)) process.kill(-(child.pid as number), 'SIGINT');
      await ended;
      return performance.now() - startedAt;
    },
  };
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
