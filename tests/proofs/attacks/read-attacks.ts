//! Every attack: one file each in `scripts/`.
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import type { Attack } from './attack.ts';

const SCRIPTS = new URL('scripts/', import.meta.url);

export async function readAttacks(): Promise<Attack[]> {
  const names = readdirSync(SCRIPTS).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const { attack } = (await import(new URL(name, SCRIPTS).href)) as { attack: Attack };
      const expected = `${attack.id.toLowerCase()}.ts`;
      if (basename(name) !== expected) throw new Error(`${name} should be named ${expected}`);
      return attack;
    }),
  );
}
