//! A whole set that runs, and `holdfast doctor` as a person would call it in its folder.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { prepareFolder, writeDevState } from '../../apps/cli/src/dev/state-file.ts';
import { type LocalSet, startLocalSet } from '../../apps/cli/src/local-set.ts';
import { type OwnRedis, startRedis } from '../harness/redis.ts';

export interface Diagnosis {
  readonly exit: number;
  readonly faults: readonly string[];
  /** What was said of each thing that was looked at. */
  readonly says: Readonly<Record<string, string>>;
  readonly skipped: readonly string[];
}

/** What is different for one look: fields of dev.json, and settings of the processes. */
export interface Circumstances {
  readonly api?: string;
  readonly apiKey?: string;
  readonly settings?: Readonly<Record<string, string>>;
}

export interface Patient {
  readonly set: LocalSet;
  readonly redis: OwnRedis;
  examine(circumstances?: Circumstances): Promise<Diagnosis>;
  sql(text: string, values?: readonly unknown[]): Promise<void>;
  stop(): Promise<void>;
}

const BIN = fileURLToPath(new URL('../../apps/cli/src/bin.ts', import.meta.url));

export async function admitPatient(): Promise<Patient> {
  const redis = await startRedis();
  const env = { REDIS_URL: redis.url, HOLDFAST_RATE_LIMIT: 'off' };
  const set = await startLocalSet({ port: 0, quiet: true, env });
  const home = mkdtempSync(join(tmpdir(), 'holdfast-doctor-'));
  const folder = join(home, '.holdfast');
  prepareFolder(folder);
  return {
    set,
    redis,
    examine: async ({ api, apiKey, settings = {} } = {}) => {
      const ready = { ...set.ready, ...(api && { api }), ...(apiKey && { apiKey }) };
      writeDevState(folder, { ready, settings: { ...set.settings, ...settings } });
      return diagnose(home);
    },
    sql: async (text, values = []) => {
      const client = new pg.Client(set.databaseUrl);
      await client.connect();
      try {
        await client.query(text, [...values]);
      } finally {
        await client.end();
      }
    },
    stop: async () => {
      await set.stop();
      await redis.kill();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

type Found = Readonly<Record<'name' | 'status' | 'says' | 'fault', string>>;

function diagnose(home: string): Promise<Diagnosis> {
  const { PATH } = process.env;
  const args = ['--conditions=@holdfast/source', BIN, 'doctor', '--json'];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { cwd: home, env: { PATH } }, (error, stdout, stderr) => {
      if (stdout === '') {
        reject(new Error(`doctor said nothing: ${stderr || error?.message}`));
        return;
      }
      const { checks } = JSON.parse(stdout) as { readonly checks: readonly Found[] };
      resolve({
        exit: typeof error?.code === 'number' ? error.code : 0,
        faults: checks.filter(({ status }) => status === 'fault').map(({ fault }) => fault),
        says: Object.fromEntries(checks.map(({ name, says }) => [name, says])),
        skipped: checks.filter(({ status }) => status === 'skipped').map(({ name }) => name),
      });
    });
  });
}
