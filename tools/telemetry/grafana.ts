//! The dashboards in Grafana's own format: written to deploy/grafana by `npm run generate`.
import {
  LegendDisplayMode,
  LegendPlacement,
  VizLegendOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common';
import {
  DashboardBuilder,
  DatasourceVariableBuilder,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus';
import { PanelBuilder } from '@grafana/grafana-foundation-sdk/timeseries';
import { DASHBOARDS, type DashboardRow, type Panel } from './dashboards.ts';

export const GRAFANA = 'deploy/grafana';
const PANEL = { width: 12, height: 8 };
const SOURCE = { type: 'prometheus', uid: '$source' };

/** File names, and the text of each. */
export function grafanaFiles(): Map<string, string> {
  return new Map(
    DASHBOARDS.map((row) => [`${row.uid}.json`, `${JSON.stringify(dashboardOf(row), null, 2)}\n`]),
  );
}

function dashboardOf({ uid, title, panels }: DashboardRow) {
  const builder = new DashboardBuilder(title)
    .uid(uid)
    .tags(['holdfast'])
    .refresh('10s')
    .time({ from: 'now-1h', to: 'now' })
    .timezone('utc')
    .withVariable(new DatasourceVariableBuilder('source').label('Prometheus').type('prometheus'));
  for (const panel of panels) builder.withPanel(panelOf(panel));
  return builder.build();
}

function panelOf({ title, unit, queries }: Panel): PanelBuilder {
  const builder = new PanelBuilder()
    .title(title)
    .unit(unit)
    .min(0)
    .span(PANEL.width)
    .height(PANEL.height)
    .datasource(SOURCE)
    .legend(
      new VizLegendOptionsBuilder()
        .showLegend(true)
        .displayMode(LegendDisplayMode.List)
        .placement(LegendPlacement.Bottom),
    );
  for (const [at, { expr, legend }] of queries.entries())
    builder.withTarget(
      new DataqueryBuilder()
        .expr(expr)
        .legendFormat(legend)
        .refId(String.fromCharCode(65 + at))
        .datasource(SOURCE),
    );
  return builder;
}
