//! `npm run dashboards:picture`: runs a harness while a Prometheus scrapes its set, then draws each
//! dashboard from what Prometheus has.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { adopt } from '../../apps/cli/src/children.ts';
import { openChromium } from '../../tests/harness/browser/chromium.ts';
import { type OptionsOf, text } from '../../tests/harness/options.ts';
import { type Prometheus, startPrometheus } from '../../tests/harness/prometheus.ts';
import { TARGETS_FOLDER } from '../../tests/harness/prometheus-targets.ts';
import { print } from '../../tests/harness/report.ts';
import { runHarness } from '../../tests/harness/run.ts';
import { needed } from '../../tests/harness/set.ts';
import { findPrometheus } from '../installed.ts';
import {
  DASHBOARDS,
  type DashboardRow,
  type Panel,
  withInterval,
} from '../telemetry/dashboards.ts';
import { rulesText } from '../telemetry/rules-text.ts';
import { chartOf, type Range, type Series } from './chart.ts';

const options = {
  run: text('SCRIPT', 'the npm script to watch, with its options', { full: 'chaos -- --quick' }),
  to: text('DIR', 'write the pictures there', { full: '.cache/dashboards' }),
};
const POINTS = 300;
const INTERVAL = '10s';

async function takePictures({ run, to }: OptionsOf<typeof options>): Promise<string[]> {
  const prometheus = await startPrometheus(needed(findPrometheus(), 'Prometheus'), rulesText());
  try {
    const from = Date.now() / 1000;
    const code = await watched(run, prometheus);
    const range = { from: await firstSample(prometheus, from), to: Date.now() / 1000 };
    await draw(prometheus, range, resolve(to));
    return code === 0 ? [] : [`npm run ${run} exited with ${code}`];
  } finally {
    await prometheus.stop();
  }
}

async function watched(run: string, { home }: Prometheus): Promise<number> {
  const env = { ...process.env, [TARGETS_FOLDER]: home };
  const child = adopt(spawn('npm', ['run', '-s', ...run.split(' ')], { env, stdio: 'inherit' }));
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

/** Before it the set was starting. */
async function firstSample(prometheus: Prometheus, from: number): Promise<number> {
  const [found] = await read(prometheus, 'min(up)', '', { from, to: Date.now() / 1000 });
  return found?.points[0]?.[0] ?? from;
}

async function draw(prometheus: Prometheus, range: Range, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const browser = await openChromium();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    for (const row of DASHBOARDS) {
      await page.setContent(await pageOf(prometheus, row, range));
      const path = join(folder, `${row.uid}.png`);
      await page.locator('body').screenshot({ path });
      print(path);
    }
  } finally {
    await browser.close();
  }
}

async function pageOf(prometheus: Prometheus, row: DashboardRow, range: Range): Promise<string> {
  const charts: string[] = [];
  for (const panel of row.panels) {
    const series = await Promise.all(
      panel.queries.map(({ expr, legend }) => read(prometheus, expr, legend, range)),
    );
    charts.push(chartOf(panel, shown(panel, series.flat()), range));
  }
  const started = new Date(range.from * 1000).toISOString();
  return `<body style="margin:0;padding:8px;background:#f4f4f5;font-family:sans-serif">
<h3 style="margin:4px">${row.title} <small>from ${started}</small></h3>
<div style="display:grid;grid-template-columns:1fr 1fr;gap:6px">${charts.join('')}</div></body>`;
}

/** Lines of zeros and ones lie upon each other; each gets its own height. */
function shown(panel: Panel, series: readonly Series[]): readonly Series[] {
  const isState = series.every(({ points }) => points.every(([, v]) => v === 0 || v === 1));
  const isBare = panel.queries.every(({ expr }) => /^\w+$/.test(expr));
  if (!isState || !isBare || series.length < 2) return series;
  return series.map(({ name, points }, at) => ({
    name: `${name} (down: ${at}, up: ${at}.7)`,
    points: points.map(([time, value]) => [time, at + value * 0.7] as const),
  }));
}

interface Found {
  readonly metric: Readonly<Record<string, string>>;
  readonly values: readonly (readonly [number, string])[];
}

async function read(
  prometheus: Prometheus,
  expr: string,
  legend: string,
  { from, to }: Range,
): Promise<Series[]> {
  const query = new URLSearchParams({
    query: withInterval(expr, INTERVAL),
    start: String(from),
    end: String(to),
    step: String(Math.max(1, (to - from) / POINTS)),
  });
  const { result } = (await prometheus.get(`query_range?${query}`)) as { result: Found[] };
  return result.map(({ metric, values }) => ({
    name: legend.replace(/\{\{(\w+)\}\}/g, (_, label: string) => metric[label] ?? ''),
    points: values
      .map(([at, value]) => [at, Number.parseFloat(value)] as const)
      .filter(([, value]) => Number.isFinite(value)),
  }));
}

await runHarness({ name: 'npm run dashboards:picture', options }, takePictures);
