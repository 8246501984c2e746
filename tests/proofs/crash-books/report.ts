//! The figures of a round, and of a whole run.
import { type Figure, figuresText, tally, timesText } from '../../harness/report.ts';
import type { JournalFindings } from './checks.ts';
import type { ClientGroup } from './client.ts';
import type { LogicalRequest } from './history.ts';
import type { WatchTimes } from './watch.ts';

/** Of a round, or the sums of several. */
export interface Counts extends JournalFindings {
  rounds: number;
  kills: number;
  /** Database connections that were ended in the middle of a statement. */
  atWork: number;
  requests: number;
  tries: number;
  acknowledged: number;
  refused: number;
  unknown: number;
  /** Interrupted, and repeated until there was a response. */
  interrupted: number;
  /** Of those, the requests that were executed before their response was lost. */
  survived: number;
  replaysEqual: number;
  replaysUnequal: number;
  wrongBalances: number;
}

export interface Figures {
  readonly counts: Counts;
  /** The interruption of each interrupted request. */
  readonly interruptions: readonly string[];
  readonly times: readonly WatchTimes[];
}

export interface Disruption {
  kills: number;
  atWork?: number;
  times: WatchTimes;
}

interface Findings {
  replays: { equal: number; faults: string[] };
  wrong: string[];
  journal: JournalFindings;
}

/** Counts that must be zero. */
const VIOLATIONS = [
  'lost',
  'doubled',
  'strange',
  'unknown',
  'wrongBalances',
  'replaysUnequal',
] as const satisfies readonly (keyof Counts)[];

export function figuresOf(
  { requests, tries }: ClientGroup,
  disruption: Disruption,
  found: Findings,
): Figures {
  const of = (outcome: string) => requests.filter((each) => each.outcome === outcome).length;
  const wasReplayed = ({ response }: LogicalRequest) => response?.isReplay === true;
  const interrupted = requests.filter((request) => request.interruption !== undefined);
  const counts = {
    rounds: 1,
    kills: disruption.kills,
    atWork: disruption.atWork ?? 0,
    requests: requests.length,
    tries,
    acknowledged: of('acknowledged'),
    refused: of('refused'),
    unknown: of('unknown'),
    interrupted: interrupted.length,
    survived: interrupted.filter(wasReplayed).length,
    replaysEqual: found.replays.equal,
    replaysUnequal: found.replays.faults.length,
    wrongBalances: found.wrong.length,
    ...found.journal,
  };
  const interruptions = interrupted.map(({ interruption = '' }) => interruption);
  return { counts, interruptions, times: [disruption.times] };
}

export function sum(one: Figures, other: Figures): Figures {
  const counts = { ...one.counts };
  for (const name of Object.keys(counts) as (keyof Counts)[]) counts[name] += other.counts[name];
  const interruptions = [...one.interruptions, ...other.interruptions];
  return { counts, interruptions, times: [...one.times, ...other.times] };
}

export function violationsOf({ counts }: Figures): string[] {
  return VIOLATIONS.filter((name) => counts[name] > 0).map((name) => `${name}: ${counts[name]}`);
}

export function roundText({ counts }: Figures): string {
  return (
    `${counts.acknowledged} acknowledged, ${counts.refused} refused, ` +
    `${counts.interrupted} interrupted, ${counts.replaysEqual} replays equal, ` +
    `lost ${counts.lost}, doubled ${counts.doubled}`
  );
}

export function totalText({ counts, interruptions, times }: Figures): string {
  const responseTimes = (name: keyof WatchTimes) =>
    timesText(
      times.flatMap((each) => each[name] ?? []),
      ...[0.5, 1],
    );
  const rows: Figure[] = [
    ['rounds', counts.rounds],
    ['kills', counts.atWork === 0 ? counts.kills : `${counts.kills} (${counts.atWork} at work)`],
    ['requests', `${counts.requests} (${counts.tries} tries)`],
    ['acknowledged', counts.acknowledged],
    ['refused', counts.refused],
    ['interrupted and retried', `${counts.interrupted}${kindsText(interruptions)}`],
    ['  executed before the response was lost', counts.survived],
    ['replays byte-equal', `${counts.replaysEqual}, unequal ${counts.replaysUnequal}`],
    ['lost', counts.lost],
    ['doubled', counts.doubled],
    ['unexpected entries', counts.strange],
    ['still unknown', counts.unknown],
    ['wrong balances', counts.wrongBalances],
    ['kill to first new acknowledgement', responseTimes('newMs')],
    ['kill to first response to an interrupted request', responseTimes('interruptedMs')],
    ['kill to first response of the successor', responseTimes('successorMs')],
  ];
  return figuresText(rows);
}

function kindsText(kinds: readonly string[]): string {
  const counts = tally(kinds).map(([kind, times]) => `${times} ${kind}`);
  return counts.length === 0 ? '' : ` (${counts.join(', ')})`;
}
