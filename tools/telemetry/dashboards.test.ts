//! Tests that every expression of a dashboard is one, over metrics and records that exist, and that
//! the generated files are those of the tables.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { METRICS } from '../../apps/server/src/platform/telemetry/metric-table.ts';
import { findPromtool } from '../installed.ts';
import { DASHBOARDS, withInterval } from './dashboards.ts';
import { GRAFANA, grafanaFiles } from './grafana.ts';
import { metricsIn } from './metrics-in.ts';
import { promtool } from './promtool.ts';
import { RULES, rulesText } from './rules-text.ts';

const ROOT = join(import.meta.dirname, '../..');
const expressions = DASHBOARDS.flatMap(({ panels }) =>
  panels.flatMap(({ queries }) => queries.map(({ expr }) => withInterval(expr, '1m'))),
);

/** As rules, because promtool checks no bare expression without a server. */
function check(list: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-dashboards-'));
  const rules = list.map((expr, at) => ({ record: `dashboard:expression:${at}`, expr }));
  const file = join(folder, 'rules.yml');
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboards', rules }] }));
  try {
    return promtool('check', 'rules', file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it.skipIf(findPromtool() === undefined)('are accepted by promtool', () => {
  expect(check(expressions)).toBe('');
  expect(check(['sum by (le'])).not.toBe('');
});

it('name metrics that exist, and each of ours at least once', () => {
  const named = new Set(expressions.flatMap(metricsIn));
  expect([...named].filter((name) => !(name in METRICS))).toEqual([]);
  const recorded = new Set(['holdfast_operation_unknown_seconds']);
  expect(Object.keys(METRICS).filter((name) => !named.has(name) && !recorded.has(name))).toEqual(
    [],
  );
});

it('name records that exist', () => {
  const records = expressions.flatMap((expr) => expr.match(/holdfast:[\w:]+/g) ?? []);
  expect(records.filter((name) => !rulesText().includes(`record: ${name}\n`))).toEqual([]);
});

it('are in deploy/ as generated', () => {
  for (const [name, text] of grafanaFiles())
    expect(readFileSync(join(ROOT, GRAFANA, name), 'utf8')).toBe(text);
  expect(readFileSync(join(ROOT, RULES), 'utf8')).toBe(rulesText());
});
