//! The figures of a run as text.
import type { Convergence } from './converge.ts';
import type { Notebook } from './notebook.ts';
import type { ChaosOptions } from './options.ts';
import type { SeenOrder } from './order.ts';
import type { Races } from './races.ts';
import type { Lived } from './run-lives.ts';
import type { WebhookCounts } from './world.ts';

export interface Run {
  readonly options: ChaosOptions;
  readonly notebook: Notebook;
  readonly lived: Lived | undefined;
  readonly races: Races | undefined;
  readonly convergence: Convergence;
  readonly webhooks: WebhookCounts;
  readonly orders: readonly SeenOrder[];
}

const SHOWN_MAX = 30;
const NAME_WIDTH = 34;

export function runText(run: Run): string {
  const { options, notebook, lived, races, convergence, webhooks } = run;
  const { requests, lost, refusals } = notebook;
  const rows: [string, string | number][] = [
    ['seed', options.seed],
    ['orders', run.orders.length],
    ...indented(outcomesOf(run.orders)),
    ...(lived === undefined ? [] : livedRows(options, lived)),
    ['webhooks sent', `${webhooks.sent}, of them several times ${webhooks.repeated}`],
    ['requests', requests],
    ['  without an answer', lost],
    ['  504 PROVIDER_TIMEOUT', refusals.get('504 PROVIDER_TIMEOUT') ?? 0],
    ['refusals by code', ''],
    ...indented(refusals),
    ['at rest after', `${convergence.seconds.toFixed(1)} s`],
  ];
  const table = rows.map(([name, value]) => `${name.padEnd(NAME_WIDTH)} ${value}\n`).join('');
  return `${table}${timesText(notebook)}${races === undefined ? '' : racesText(races)}`;
}

function livedRows({ orders }: ChaosOptions, lived: Lived): [string, string | number][] {
  const { seconds, strikes, faults } = lived;
  const { worker, api, restate, wipe, flush } = strikes.counts;
  return [
    ['seconds under strikes', seconds.toFixed(0)],
    ['lives a second', (orders / seconds).toFixed(2)],
    ['workers killed', worker],
    ['api processes killed', api],
    ['Restate killed', `${restate + wipe}, of them emptied ${wipe}`],
    ['Redis flushed', flush],
    ['faults of providers', [...faults.values()].reduce((sum, times) => sum + times, 0)],
    ...indented(faults),
  ];
}

function outcomesOf(orders: readonly SeenOrder[]): Map<string, number> {
  const groups = Map.groupBy(orders, ({ status, closeReason }) => closeReason ?? status);
  return new Map([...groups].map(([name, all]) => [name, all.length]));
}

function indented(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .map(([name, times]) => [`  ${name}`, times]);
}

function timesText({ times }: Notebook): string {
  const rows = [...times].map(([deed, all]) => {
    const sorted = all.toSorted((one, other) => one - other);
    const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(0);
    return [deed, String(all.length), `${at(0.5)} ms`, `${at(0.99)} ms`];
  });
  return tableText([['operation', 'done', 'p50', 'p99'], ...rows]);
}

function racesText({ endings, answers }: Races): string {
  const ended = [...endings].map(([name, times]) => [name, String(times)]);
  const told = [...answers].flatMap(([caller, all]) =>
    [...all]
      .toSorted(([, one], [, other]) => other - one)
      .map(([answer, times]) => [caller, answer, String(times)]),
  );
  const sorted = told.toSorted(([one = ''], [other = '']) => one.localeCompare(other));
  return `races\n${tableText([['order', 'races'], ...ended])}${tableText([
    ['caller', 'was answered', 'times'],
    ...sorted,
  ])}`;
}

function tableText(table: readonly (readonly string[])[]): string {
  const widths = (table[0] ?? []).map((_, at) =>
    Math.max(...table.map((row) => row[at]?.length ?? 0)),
  );
  const lines = table.map((row) =>
    row
      .map((text, at) =>
        /^\d/.test(text) && at > 0 ? text.padStart(widths[at] ?? 0) : text.padEnd(widths[at] ?? 0),
      )
      .join(' | '),
  );
  const rule = widths.map((width) => '-'.repeat(width)).join('-|-');
  return `${[lines[0], rule, ...lines.slice(1)].join('\n')}\n`;
}

export function wrongText(wrong: readonly string[]): string {
  const more = wrong.length - SHOWN_MAX;
  const shown = wrong.slice(0, SHOWN_MAX).map((text) => `  ${text}\n`);
  return shown.join('') + (more > 0 ? `  and ${more} more\n` : '');
}
