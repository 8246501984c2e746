//! What the password thread runs.
import { argon2Sync } from 'node:crypto';
import { setPriority } from 'node:os';
import process from 'node:process';
import { parentPort } from 'node:worker_threads';
import type { HashOrder } from './password-thread.ts';

/** A tenth of what another thread gets when both want the same core. */
const GIVE_WAY = 10;

// There a priority belongs to a thread; elsewhere it would slow the whole process.
if (process.platform === 'linux') setPriority(GIVE_WAY);

parentPort?.on('message', ({ message, nonce, cost }: HashOrder) => {
  parentPort?.postMessage(argon2Sync('argon2id', { message, nonce, ...cost }));
});
