//! The code of the password thread.
import { argon2Sync } from 'node:crypto';
import { setPriority } from 'node:os';
import process from 'node:process';
import { parentPort } from 'node:worker_threads';
import type { HashRequest } from './password-thread.ts';

/** A tenth of the share of another thread when both compete for a core. */
const GIVE_WAY = 10;

// On Linux a priority belongs to a thread; elsewhere it would slow the whole process.
if (process.platform === 'linux') setPriority(GIVE_WAY);

parentPort?.on('message', ({ message, nonce, cost }: HashRequest) => {
  parentPort?.postMessage(argon2Sync('argon2id', { message, nonce, ...cost }));
});
