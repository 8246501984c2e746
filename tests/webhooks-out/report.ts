//! The figures of a run as text.
import { type Figure, figuresText, quantile, secondsText } from '../harness/report.ts';
import type { Strikes } from '../harness/strikes.ts';
import type { Expected } from './judge.ts';
import type { WebhookOptions } from './options.ts';
import type { Inbox } from './receivers.ts';

export interface Figures {
  readonly options: WebhookOptions;
  readonly inboxes: readonly Inbox[];
  readonly expected: readonly Expected[];
  readonly strikes: Strikes<'worker' | 'api' | 'wipe'>;
  readonly writtenSeconds: number;
  readonly seconds: number;
  /** Of all first arrivals, the endpoints one after the other. */
  readonly lags: readonly number[];
}

export function runText(figures: Figures): string {
  const { options, inboxes, expected, strikes, writtenSeconds, seconds } = figures;
  const sum = (countOf: (inbox: Inbox) => number) =>
    inboxes.reduce((total, inbox) => total + countOf(inbox), 0);
  const wanted = expected.reduce((total, { events }) => total + events.length, 0);
  const arrivals = sum((inbox) => inbox.arrivals.length);
  const failed = sum(({ faults }) => faults.refused + faults.reset + faults['late refusal']);
  const { hung, late } = {
    hung: sum((i) => i.faults.hung),
    late: sum((i) => i.faults['late answer']),
  };
  const lagAt = (share: number) => secondsText(quantile(figures.lags, share), 2);
  const rows: Figure[] = [
    ['seed', options.seed],
    ['events', `${options.events} in ${writtenSeconds.toFixed(1)} s`],
    ['endpoints', `${options.endpoints}, and one of another marketplace`],
    ['killed', `${strikes.counts.worker} workers, ${strikes.counts.api} apis`],
    ['Restate emptied', strikes.counts.wipe],
    ['first arrivals', `${sum((inbox) => inbox.firsts.size)} of ${wanted}`],
    ['messages', arrivals],
    ['  failed on purpose', `${failed} refused or cut, ${hung} hung, ${late} late`],
    ['  sent though answered', arrivals - wanted - failed - hung],
    ['seconds', seconds.toFixed(1)],
    ['first arrivals a second', (wanted / seconds).toFixed(0)],
    ['lag p50 / p99', `${lagAt(0.5)} / ${lagAt(0.99)}`],
  ];
  return figuresText(rows);
}
