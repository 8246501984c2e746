//! Runs promtool, which checks rules and plays series against them.
import { spawnSync } from 'node:child_process';
import { findPromtool } from '../installed.ts';

/** What it prints if it finds something wrong; empty otherwise. */
export function promtool(...args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(findPromtool() ?? 'promtool', args, {
    encoding: 'utf8',
  });
  if (error !== undefined) return error.message;
  return status === 0 ? '' : `${stdout}${stderr}`;
}
