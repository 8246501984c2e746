//! Keys and secrets of a local set: new ones for each, or those stored in a folder.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '@holdfast/kernel/clock';
import { newId } from '@holdfast/kernel/ids';
import { randomBytes } from '@holdfast/kernel/random';
import type { LocalOperator } from './local-operators.ts';

export interface Secrets {
  readonly database: string;
  readonly masterKey: string;
  readonly tokenSecret: string;
  readonly walletKeys: string;
  readonly webhookKeys: string;
  readonly operatorKeys: string;
  readonly paymentWebhookSecret: string;
  readonly escrowWebhookSecret: string;
  apiKey?: string;
  marketplaceId?: string;
  operators?: readonly LocalOperator[];
  readonly memberTokenSecret: string;
  readonly surfaceBMarketplaceId: string;
}

export function newSecrets(): Secrets {
  const secret = () => Buffer.from(randomBytes(32)).toString('base64url');
  return {
    database: `holdfast_${newId('mkt', systemClock.now()).slice(4, 24)}`,
    masterKey: `hfm_${secret()}`,
    tokenSecret: secret(),
    memberTokenSecret: secret(),
    surfaceBMarketplaceId: newId('mkt', systemClock.now()),
    walletKeys: `v1:${Buffer.from(randomBytes(32)).toString('base64')}`,
    webhookKeys: `v1:${Buffer.from(randomBytes(32)).toString('base64')}`,
    operatorKeys: `v1:${Buffer.from(randomBytes(32)).toString('base64')}`,
    paymentWebhookSecret: `whsec_${Buffer.from(randomBytes(32)).toString('base64')}`,
    escrowWebhookSecret: `whsec_${secret()}`,
  };
}

const fileIn = (folder: string) => join(folder, 'secrets.json');

export function readSecrets(folder: string | undefined): Secrets | undefined {
  if (folder === undefined || !existsSync(fileIn(folder))) return undefined;
  const saved = JSON.parse(readFileSync(fileIn(folder), 'utf8')) as Secrets;
  // A folder of an earlier build lacks what came later.
  return { ...newSecrets(), ...saved };
}

export function saveSecrets(folder: string | undefined, secrets: Secrets): void {
  if (folder === undefined) return;
  createStateFolder(folder);
  writeFileSync(fileIn(folder), JSON.stringify(secrets, null, 2), { mode: 0o600 });
}

/** Entered, not listed, by others: a PostgreSQL that runs under another name must get through. */
export function createStateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o711);
}
