//! Prometheus on loopback, which scrapes the processes of a set and evaluates rules.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { adopt } from '../../apps/cli/src/children.ts';
import { freePorts } from '../../apps/cli/src/local-restate.ts';
import { type Targets, writeTargets } from './prometheus-targets.ts';
import { within } from './wait.ts';

export interface Prometheus {
  readonly url: string;
  /** The folder of its targets, for a set in another process: see `TARGETS_FOLDER`. */
  readonly home: string;
  /** The names of the alerts that fire now. */
  firing(): Promise<string[]>;
  get(path: string): Promise<unknown>;
  /** Scrapes these from now on; those that have ended count as down. */
  scrape(targets: Targets): void;
  stop(): Promise<void>;
}

const START_MS_MAX = 20_000;

/** `rules`: the text of a file of rules. */
export async function startPrometheus(program: string, rules: string): Promise<Prometheus> {
  const home = mkdtempSync(join(tmpdir(), 'holdfast-prometheus-'));
  const [port] = (await freePorts(1)) as [number];
  writeFileSync(join(home, 'rules.yml'), rules);
  writeFileSync(join(home, 'prometheus.yml'), configuration(home));
  const scrape = (targets: Targets) => writeTargets(home, targets);
  scrape({ api: [], worker: [] });
  const args = [
    `--config.file=${join(home, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(home, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--log.level=error',
  ];
  const server = adopt(spawn(program, args, { stdio: 'ignore' }));
  const gone = once(server, 'exit');
  const url = `http://127.0.0.1:${port}`;
  const isUp = () =>
    fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  if (!(await within(START_MS_MAX, isUp))) throw new Error('Prometheus did not start');
  const get = async (path: string) => {
    const response = await fetch(`${url}/api/v1/${path}`);
    return ((await response.json()) as { data: unknown }).data;
  };
  return {
    url,
    home,
    get,
    scrape,
    firing: async () => {
      const { alerts } = (await get('alerts')) as {
        alerts: { state: string; labels: { alertname: string } }[];
      };
      const names = alerts.filter(({ state }) => state === 'firing');
      return [...new Set(names.map(({ labels }) => labels.alertname))].sort();
    },
    stop: async () => {
      server.kill('SIGTERM');
      await gone;
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function configuration(home: string): string {
  const jobs = ['api', 'worker'].map(
    (job) => `  - job_name: ${job}
    file_sd_configs: [{ files: ['${home}/${job}.json'], refresh_interval: 1s }]`,
  );
  return `global: { scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s }
rule_files: ['${home}/rules.yml']
scrape_configs:
${jobs.join('\n')}
`;
}
