//! The secret that `listen` signs with: the same on every run, so that a handler's setting stays.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { randomBytes } from '@holdfast/kernel/random';
import { usageFault } from '../command-fault.ts';

export function listenSecret(folder: string): string {
  const path = join(folder, '.holdfast', 'listen', 'secret');
  if (existsSync(path)) return readFileSync(path, 'utf8').trim();
  const secret = `whsec_${Buffer.from(randomBytes(24)).toString('base64')}`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, `${secret}\n`, { mode: 0o600 });
  return secret;
}

const SECRET = /^whsec_[A-Za-z0-9+/]{16,}={0,2}$/;

/** One that was given. */
export function readSecret(text: string): string {
  if (SECRET.test(text)) return text;
  throw usageFault(
    '--secret is not a webhook secret',
    'use whsec_ followed by at least 16 base64 characters',
  );
}
