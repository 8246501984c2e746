//! A whole set that runs, and `holdfast doctor` as a person would call it in its folder.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareFolder, writeDevState } from '../../apps/cli/src/dev/state-file.ts';
import { HOLDFAST } from '../harness/command-line.ts';
import { needed, openStage } from '../harness/set.ts';

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

export type Patient = Awaited<ReturnType<typeof admitPatient>>;

export function admitPatient() {
  const wishes = { hasRedis: true, env: { HOLDFAST_RATE_LIMIT: 'off' } };
  return openStage(wishes, async ({ set, redis, monitor }, begun) => {
    const home = mkdtempSync(join(tmpdir(), 'holdfast-doctor-'));
    begun.defer(async () => rmSync(home, { recursive: true, force: true }));
    const folder = join(home, '.holdfast');
    prepareFolder(folder);
    return {
      redis: needed(redis, 'Redis'),
      examine: async ({ api, apiKey, settings = {} }: Circumstances = {}) => {
        const ready = { ...set.ready, ...(api && { api }), ...(apiKey && { apiKey }) };
        writeDevState(folder, { ready, settings: { ...set.settings, ...settings } });
        return diagnose(home);
      },
      sql: async (text: string, values: unknown[] = []) => {
        await monitor.query(text, values);
      },
    };
  });
}

type Found = Readonly<Record<'name' | 'status' | 'says' | 'fault', string>>;

function diagnose(home: string): Promise<Diagnosis> {
  const { PATH } = process.env;
  const args = [...HOLDFAST, 'doctor', '--json'];
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
