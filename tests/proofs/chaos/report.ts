//! The figures of a run as text.
import {
  type Figure,
  figuresText,
  mostFirst,
  quantile,
  tableText,
  tally,
} from '../../harness/report.ts';
import type { Convergence } from '../../harness/rest.ts';
import type { WebhookCounts } from '../../harness/sandbox.ts';
import type { Notebook } from './notebook.ts';
import { type ChaosOptions, sizeOf } from './options.ts';
import type { SeenOrder } from './order.ts';
import type { Races } from './races.ts';
import type { Lived } from './run-lives.ts';

export interface Run {
  readonly options: ChaosOptions;
  readonly notebook: Notebook;
  readonly lived: Lived | undefined;
  readonly races: Races | undefined;
  readonly convergence: Convergence;
  readonly webhooks: WebhookCounts;
  readonly orders: readonly SeenOrder[];
}

export function runText(run: Run): string {
  const { options, notebook, lived, races, convergence, webhooks } = run;
  const { requests, lost, refusals } = notebook;
  const figures: Figure[] = [
    ['seed', options.seed],
    ['orders', run.orders.length],
    ...indented(tally(run.orders.map(({ status, closeReason }) => closeReason ?? status))),
    ...(lived === undefined ? [] : livedRows(options, lived)),
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
