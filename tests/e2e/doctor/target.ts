//! A whole running set, and `holdfast doctor` as a person would run it in its folder.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { prepareFolder, writeDevState } from '../../../apps/cli/src/dev/state-file.ts';
import { createTemporaryFolder } from '../../../apps/cli/src/temporary-folder.ts';
import { HOLDFAST } from '../../harness/command-line.ts';
import { needed, openEnvironment } from '../../harness/set.ts';

export interface Diagnosis {
  readonly exit: number;
  readonly faults: readonly string[];
  /** The text of each check, by name. */
  readonly message: Readonly<Record<string, string>>;
  readonly skipped: readonly string[];
}

/** Overrides for one run: fields of dev.json, and settings of the processes. */
export interface Circumstances {
  readonly api?: string;
  readonly apiKey?: string;
  readonly settings?: Readonly<Record<string, string>>;
}

export type Target = Awaited<ReturnType<typeof openTarget>>;

export function openTarget() {
  const options = { hasRedis: true, env: { HOLDFAST_RATE_LIMIT: 'off' } };
  return openEnvironment(options, async ({ set, redis, monitor }, cleanup) => {
    const { path: home } = cleanup.use(createTemporaryFolder('holdfast-doctor'));
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

type Found = Readonly<Record<'name' | 'status' | 'message' | 'fault', string>>;

function diagnose(home: string): Promise<Diagnosis> {
  const { PATH } = process.env;
  const args = [...HOLDFAST, 'doctor', '--json'];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { cwd: home, env: { PATH } }, (error, stdout, stderr) => {
      if (stdout === '') {
        reject(new Error(`doctor printed nothing: ${stderr || error?.message}`));
        return;
      }
      const { checks } = JSON.parse(stdout) as { readonly checks: readonly Found[] };
      resolve({
        exit: typeof error?.code === 'number' ? error.code : 0,
        faults: checks.filter(({ status }) => status === 'fault').map(({ fault }) => fault),
        message: Object.fromEntries(checks.map(({ name, message }) => [name, message])),
        skipped: checks.filter(({ status }) => status === 'skipped').map(({ name }) => name),
      });
    });
  });
}
