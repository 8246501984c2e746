//! Tracks every child process, so that none is left behind when this process exits.
import type { ChildProcess } from 'node:child_process';

const alive = new Map<ChildProcess, NodeJS.Signals>();

/** With the signal that ends it at once; PostgreSQL has a better one than SIGKILL. */
export function adopt<C extends ChildProcess>(child: C, endAtOnce: NodeJS.Signals = 'SIGKILL'): C {
  if (alive.size === 0) process.once('exit', endChildren);
  alive.set(child, endAtOnce);
  const remove = () => {
    alive.delete(child);
    if (alive.size === 0) process.off('exit', endChildren);
  };
  child.once('exit', remove);
  child.once('error', remove);
  return child;
}

/** Kills every child at once. */
export function endChildren(): void {
  for (const [child, signal] of alive) child.kill(signal);
}

export function isGone(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
