//! Tests that the alerts fire when they should and stay silent when they should, by promtool.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { METRICS } from '../../apps/server/src/platform/telemetry/metric-table.ts';
import { findPromtool } from '../installed.ts';
import { ALERT_CASES, type AlertCase } from './alert-cases.ts';
import { ALERTS, runbookOf } from './alert-table.ts';
import { metricsIn } from './metrics-in.ts';
import { promtool } from './promtool.ts';
import { RULES, rulesText } from './rules-text.ts';
import { SLOS } from './slos.ts';

const ROOT = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'holdfast-alerts-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** JSON is YAML. Rules are evaluated as often as there are samples. */
function testFile(cases: readonly AlertCase[], rules: string): string {
  writeFileSync(join(folder, 'rules.yml'), rules);
  const file = join(folder, 'tests.yml');
  const interval = cases[0]?.interval ?? '1m';
  const tests = groupsOf(cases).map((group) => ({
    interval,
    input_series: group
      .flatMap(({ series }) => Object.entries(series))
      .map(([series, values]) => ({ series, values })),
    promql_expr_test: group.map(({ alert, name, at, fires }) => ({
      expr: `count(ALERTS{alertname="${alert}",alertstate="firing"}) > bool 0 or vector(0) # ${name}`,
      eval_time: at,
      exp_samples: [{ labels: '{}', value: fires ? 1 : 0 }],
    })),
  }));
  const settings = {
    rule_files: ['rules.yml'],
    evaluation_interval: interval,
    // In any other order, an alert sees its objectives one interval late.
    group_eval_order: ['holdfast-objectives', 'holdfast-alerts'],
  };
  writeFileSync(file, JSON.stringify({ ...settings, tests }));
  return file;
}

/** Cases of different alerts over different metrics share a test, whose start takes most time. */
function groupsOf(cases: readonly AlertCase[]): AlertCase[][] {
  const groups: AlertCase[][] = [];
  const metrics = ({ series }: AlertCase) => Object.keys(series).map((each) => each.split('{')[0]);
  for (const one of cases) {
    const own = new Set(metrics(one));
    const group = groups.find((each) =>
      each.every((other) => other.alert !== one.alert && !metrics(other).some((m) => own.has(m))),
    );
    if (group === undefined) groups.push([one]);
    else group.push(one);
  }
  return groups;
}

describe.skipIf(findPromtool() === undefined)('promtool', () => {
  it('accepts the rules and the configuration of deploy/', () => {
    expect(promtool('check', 'rules', join(ROOT, RULES))).toBe('');
    expect(
      promtool('check', 'config', '--syntax-only', join(ROOT, 'deploy/prometheus/prometheus.yml')),
    ).toBe('');
  });

  it.each(Object.entries(Object.groupBy(ALERT_CASES, ({ interval = '1m' }) => interval)))(
    'sees each alert fire and stay silent, with samples every %s',
    (_, cases = []) => {
      expect(promtool('test', 'rules', testFile(cases, rulesText()))).toBe('');
    },
  );

  it('finds an alert that never fires', () => {
    const broken = rulesText().replaceAll('> 900', '> 90000');
    const cases = ALERT_CASES.filter(({ alert }) => alert === 'OutcomeOpen');
    expect(promtool('test', 'rules', testFile(cases, broken))).toContain('FAILED');
  });
});

describe('the alerts', () => {
  it.each(ALERTS)('$name has a case that fires and one that does not', ({ name }) => {
    const cases = ALERT_CASES.filter(({ alert }) => alert === name);
    expect(new Set(cases.map(({ fires }) => fires))).toEqual(new Set([true, false]));
  });

  it.each(ALERTS)('$name has a section that says what to do, and leads to its runbook', (alert) => {
    const page = readFileSync(join(ROOT, 'docs/operations/alerts.md'), 'utf8');
    const [, section = ''] = page.split(new RegExp(`^## ${alert.name}$`, 'm'));
    const [text = ''] = section.split(/^## /m);
    expect(text).not.toBe('');
    const { runbook } = alert;
    if (runbook !== undefined) expect(text).toContain(`(runbooks/${runbook}.md)`);
    expect(runbookOf(alert)).toMatch(/^\/docs\/operations\/(alerts\/#[a-z]+|runbooks\/[a-z-]+\/)$/);
  });

  it('use metrics that exist', () => {
    const texts = [...ALERTS.map(({ expr }) => expr), ...SLOS.map((slo) => slo.badRatio('5m'))];
    const unknown = texts.flatMap(metricsIn).filter((name) => !(name in METRICS));
    expect(unknown).toEqual([]);
  });
});
