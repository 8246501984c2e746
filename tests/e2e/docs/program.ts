//! A running program of a page: its output and its exit code.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** The complete output; throws unless the program exits with 0. */
export async function outputOf(child: ChildProcess, name = 'it'): Promise<string> {
  const ended = once(child, 'exit');
  const [output, errors] = await Promise.all([
    text(child.stdout as NodeJS.ReadableStream),
    text(child.stderr as NodeJS.ReadableStream),
  ]);
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(`${name} ended with ${code}:\n${output}\n${errors}`);
  return output;
}

export async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}
