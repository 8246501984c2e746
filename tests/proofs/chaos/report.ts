//! The figures of a run as text.
import {
  type Figure,
  figuresText,
  mostFirst,
  timesText as msText,
  quantile,
  tableText,
  tally,
} from '../../harness/report.ts';
import type { Convergence } from '../../harness/rest.ts';
import type { WebhookCounts } from '../../harness/sandbox.ts';
import { stopRefusals } from './check-stops.ts';
import type { Notebook } from './notebook.ts';
import { type ChaosOptions, sizeOf } from './options.ts';
import type { SeenOrder } from './order.ts';
import { STOP_KINDS } from './plan-stops.ts';
import type { Races } from './races.ts';
import type { Lived } from './run-lives.ts';

export interface Run {
  readonly options: ChaosOptions;
  readonly notebook: Notebook;
  readonly lived: Lived | undefined;
  /** Orders, payments and members. */
  readonly parts: readonly Lived[];
  readonly races: Races | undefined;
  readonly convergence: Convergence;
  readonly webhooks: WebhookCounts;
  readonly orders: readonly SeenOrder[];
}

export function runText(run: Run): string {
  const { options, notebook, lived, parts, races, convergence, webhooks } = run;
  const { requests, lost, refusals } = notebook;
  const figures: Figure[] = [
    ['seed', options.seed],
    ['orders', run.orders.length],
    ...indented(tally(run.orders.map(({ status, closeReason }) => closeReason ?? status))),
    ...(lived === undefined ? [] : livedRows(options, lived)),
    ...stopRows(parts, notebook),
    ['webhooks sent', `${webhooks.sent}, of which ${webhooks.repeated} several times`],
    ['requests', requests],
    ['  without a response', lost],
    ['  504 PROVIDER_TIMEOUT', refusals.get('504 PROVIDER_TIMEOUT') ?? 0],
    ['refusals by code', ''],
    ...indented(mostFirst(refusals)),
    ['idle after', `${convergence.seconds.toFixed(1)} s`],
  ];
  return `${figuresText(figures)}${timesText(notebook)}${races === undefined ? '' : racesText(races)}`;
}

function livedRows(options: ChaosOptions, lived: Lived): Figure[] {
  const { seconds, disruptions, faults } = lived;
  const { worker, api, restate, wipe, flush } = disruptions.counts;
  return [
    ['seconds under disruptions', seconds.toFixed(0)],
    ['orders a second', (sizeOf(options).orders / seconds).toFixed(2)],
    ['workers killed', worker],
    ['api processes killed', api],
    ['Restate killed', `${restate + wipe}, of which ${wipe} with its data deleted`],
    ['Redis flushed', flush],
    ['faults of providers', [...faults.values()].reduce((sum, times) => sum + times, 0)],
    ...indented(mostFirst(faults)),
  ];
}

function stopRows(parts: readonly Lived[], { refusals }: Notebook): Figure[] {
  const records = parts.flatMap(({ stops }) => stops);
  const rows = STOP_KINDS.map((kind): Figure => {
    const ms = records.flatMap((stop) => (stop.kind === kind ? [stop.settledMs ?? Infinity] : []));
    return [`  ${kind}`, `${ms.length}, settled after ${msText(ms, 0.5, 1)}`];
  });
  const shares = parts.map(({ stops, seconds }) => {
    const byMarketplace = Map.groupBy(stops, ({ marketplaceId }) => marketplaceId);
    const stood = [...byMarketplace.values()].map((all) =>
      all.reduce((sum, { stoodMs }) => sum + stoodMs, 0),
    );
    return Math.max(0, ...stood) / (seconds * 1000);
  });
  return [
    ['stops', records.length],
    ...rows,
    ['  calls refused', stopRefusals(refusals)],
    ['  share of the time, at most', `${(100 * Math.max(0, ...shares)).toFixed(0)} %`],
  ];
}

function indented(counts: readonly [string, number][]): Figure[] {
  return counts.map(([name, times]) => [`  ${name}`, times]);
}

function timesText({ times }: Notebook): string {
  const rows = [...times].map(([action, all]) => {
    const at = (share: number) => quantile(all, share).toFixed(0);
    return [action, String(all.length), `${at(0.5)} ms`, `${at(0.99)} ms`];
  });
  return tableText([['operation', 'done', 'p50', 'p99'], ...rows]);
}

function racesText({ endings, responses }: Races): string {
  const ended = tally(endings).map(([name, times]) => [name, String(times)]);
  const rows = [...Map.groupBy(responses, ({ caller }) => caller)]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .flatMap(([caller, all]) =>
      tally(all.map(({ response }) => response)).map((row) => [caller, ...row.map(String)]),
    );
  const head = ['caller', 'response', 'times'];
  return `races\n${tableText([['order', 'races'], ...ended])}${tableText([head, ...rows])}`;
}
