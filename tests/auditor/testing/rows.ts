//! What every row of the healthy world needs: an id, an actor, whose money it is.
import { randomBytes } from 'node:crypto';
import type { Client } from 'pg';

export const ACTOR = 'key_00000000000000000000000001';

/** Prefix, eleven characters of microseconds, sixteen of chance: the form that I20 expects. */
export function newId(prefix: string): string {
  const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
  let micros = BigInt(Date.now()) * 1000n;
  let time = '';
  for (let place = 0; place < 11; place += 1) {
    time = `${alphabet[Number(micros % 32n)]}${time}`;
    micros /= 32n;
  }
  return `${prefix}_${time}${[...randomBytes(16)].map((byte) => alphabet[byte % 32]).join('')}`;
}

export interface Purse {
  readonly marketplace: string;
  readonly user: string;
  readonly currency: string;
  readonly account: string;
  readonly house: string;
}

export async function one(client: Client, text: string, values: unknown[]): Promise<string> {
  const { rows } = await client.query<[string]>({ text, values, rowMode: 'array' });
  return rows[0]?.[0] as string;
}
