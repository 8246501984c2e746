//! The figures of a run as text.

import type { Disruptions } from '../../harness/disruptions.ts';
import { type Figure, figuresText, quantile, secondsText } from '../../harness/report.ts';
import type { Expected } from './check-inbox.ts';
import type { WebhookOptions } from './options.ts';
import type { Inbox } from './receivers.ts';

export interface Figures {
  readonly options: WebhookOptions;
  readonly inboxes: readonly Inbox[];
  readonly expected: readonly Expected[];
  readonly disruptions: Disruptions<'worker' | 'api' | 'wipe'>;
  readonly writtenSeconds: number;
  readonly seconds: number;
  /** Lags of all first arrivals, endpoint by endpoint. */
  readonly lags: readonly number[];
}

export function runText(figures: Figures): string {
  const { options, inboxes, expected, disruptions, writtenSeconds, seconds } = figures;
  const sum = (countOf: (inbox: Inbox) => number) =>
    inboxes.reduce((total, inbox) => total + countOf(inbox), 0);
  const wanted = expected.reduce((total, { events }) => total + events.length, 0);
  const arrivals = sum((inbox) => inbox.arrivals.length);
  const failed = sum(({ faults }) => faults.refused + faults.reset + faults['late refusal']);
  const { hung, late } = {
    hung: sum((i) => i.faults.hung),
    late: sum((i) => i.faults['late response']),
  };
  const lagAt = (share: number) => secondsText(quantile(figures.lags, share), 2);
  const rows: Figure[] = [
    ['seed', options.seed],
    ['events', `${options.events} in ${writtenSeconds.toFixed(1)} s`],
    ['endpoints', `${options.endpoints}, and one of another marketplace`],
    ['killed', `${disruptions.counts.worker} workers, ${disruptions.counts.api} apis`],
    ['Restate emptied', disruptions.counts.wipe],
    ['first arrivals', `${sum((inbox) => inbox.firsts.size)} of ${wanted}`],
    ['messages', arrivals],
    ['  failed on purpose', `${failed} refused or cut, ${hung} hung, ${late} late`],
    ['  sent again after 2xx', arrivals - wanted - failed - hung],
    ['seconds', seconds.toFixed(1)],
    ['first arrivals a second', (wanted / seconds).toFixed(0)],
    ['lag p50 / p99', `${lagAt(0.5)} / ${lagAt(0.99)}`],
  ];
  return figuresText(rows);
}
