//! A program of a page while it runs: what it says, and how it ends.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** Everything it said, once it has ended well. */
export async function outputOf(child: ChildProcess): Promise<string> {
  const ended = once(child, 'exit');
  const [output, errors] = await Promise.all([
    text(child.stdout as NodeJS.ReadableStream),
    text(child.stderr as NodeJS.ReadableStream),
  ]);
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(`ended with ${code}:\n${output}\n${errors}`);
  return output;
}

export async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** Tries until it does not throw. */
export async function eventually<T>(attempt: () => Promise<T>, tries = 200): Promise<T> {
  for (let left = tries; ; left -= 1) {
    try {
      return await attempt();
    } catch (error) {
      if (left <= 1) throw error;
      await sleep(50);
    }
  }
}
