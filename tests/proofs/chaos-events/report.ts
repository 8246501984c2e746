//! The figures of a run, and its faults.
import { type Figure, figuresText, quantile, timesText } from '../../harness/report.ts';
import type { Findings } from './compare.ts';
import type { Consumer } from './consumer.ts';
import type { DisruptionLog } from './disruptions.ts';
import type { Intent } from './intent.ts';
import type { ChaosOptions } from './options.ts';
import type { Verdict } from './verdict.ts';

export interface Run {
  readonly options: ChaosOptions;
  readonly intent: Intent;
  readonly consumers: readonly Consumer[];
  readonly disruptionLog: DisruptionLog;
  readonly silenceMs: number;
  readonly seconds: number;
  readonly verdict: Verdict;
  /** Other faults: not written in time, not drained, a pulled list that differs. */
  readonly faults: readonly string[];
}

export function violationsOf(run: Run): string[] {
  const { options, consumers, disruptionLog, silenceMs, verdict, faults } = run;
  const { cuts, 'silence-ms': silenceMsMax } = options;
  const least = Math.min(...consumers.map((consumer) => consumer.cuts));
  const late = disruptionLog.takeOversMs.filter((ms) => ms > silenceMsMax);
  return [
    ...faults,
    ...disruptionLog.faults,
    ...verdict.violations,
    ...late.map((ms) => `a take-over took ${ms.toFixed(0)} ms`),
    ...(silenceMs > silenceMsMax ? [`events waited for ${silenceMs.toFixed(0)} ms`] : []),
    ...(least < cuts ? [`a consumer was cut ${least} times only`] : []),
  ];
}

export function runText(run: Run): string {
  const { intent, consumers, disruptionLog, verdict } = run;
  const sum = (of: (consumer: Consumer) => number) =>
    consumers.reduce((total, consumer) => total + of(consumer), 0);
  const found = (of: (findings: Findings) => number) =>
    verdict.transcripts.reduce((total, findings) => total + of(findings), 0);
  const { api, leader, freeze, flush, redis } = disruptionLog.disruptions.counts;
  const { lost, doubled, invented, altered, outOfOrder, broken } = verdict.log;
  const cuts = consumers.map((consumer) => consumer.cuts);
  const figures: Figure[] = [
    ['seconds', run.seconds.toFixed(0)],
    ['events committed', intent.events.length],
    ['transactions', `${intent.transactions}, rolled back ${intent.rollbacks}`],
    ['requests repeated', intent.retries],
    ['api processes killed', api],
    ['leading workers killed', `${leader}; stopped for 4 s: ${freeze}`],
    ['  in the middle of a transaction', disruptionLog.inTransaction],
    ['Redis flushed', `${flush}; killed: ${redis}`],
    ['consumers', consumers.length],
    ['cuts of each', `least ${Math.min(...cuts)}, median ${quantile(cuts, 0.5)}`],
    ['cuts in all', `${sum((each) => each.cuts)}, in a message ${sum((each) => each.tornCuts)}`],
    ['  before the stream was open', sum((each) => each.hasty)],
    [
      'connections',
      `${sum((each) => each.connections)}, dropped by the other side ${sum((each) => each.drops)}`,
    ],
    ['  refused with 503 or 429', sum((each) => each.sentAway)],
    ['messages received', sum((each) => each.transcript.length)],
    ['  repeats, removed', found((each) => each.repeats)],
    ['log: lost, doubled, invented', `${lost}, ${doubled}, ${invented}`],
    ['log: altered, out of order, broken', `${altered}, ${outOfOrder}, ${broken}`],
    ['transcripts: missing', found((each) => each.missing)],
    ['transcripts: doubled on a connection', found((each) => each.doubled)],
    ['transcripts: of another marketplace', found((each) => each.foreign)],
    ['transcripts: strange, altered', found((each) => each.strange + each.altered)],
    ['transcripts: out of order', found((each) => each.outOfOrder)],
    ['take-over', timesText(disruptionLog.takeOversMs, 0.5, 1)],
    ['longest wait for an event to be sequenced', `${run.silenceMs.toFixed(0)} ms`],
    ['from the log to a consumer', timesText(verdict.delaysMs, 0.5, 0.99, 1)],
  ];
  return figuresText(figures);
}
