//! The figures of a round, and of a whole run.
import { type Figure, figuresText, timesText } from '../harness/report.ts';
import type { JournalFindings } from './checks.ts';
import type { Crowd } from './client.ts';
import type { LogicalRequest } from './history.ts';
import type { WatchTimes } from './watch.ts';

export interface Figures {
  rounds: number;
  kills: number;
  /** Database connections that were ended in the middle of a statement. */
  atWork: number;
  requests: number;
  tries: number;
  acknowledged: number;
  refused: number;
  unknown: number;
  /** Interrupted and repeated until answered. */
  interrupted: number;
  interruptions: string[];
  /** Of those, how many had been carried out before their answer was lost. */
  survived: number;
  replaysEqual: number;
  replaysUnequal: number;
  lost: number;
  doubled: number;
  strange: number;
  wrongBalances: number;
  times: WatchTimes[];
}

export interface Strike {
  kills: number;
  atWork?: number;
  times: WatchTimes;
}

interface Findings {
  replays: { equal: number; faults: string[] };
  wrong: string[];
  journal: JournalFindings;
}

export function figuresOf(crowd: Crowd, strike: Strike, found: Findings): Figures {
  const count = (is: (request: LogicalRequest) => boolean) => crowd.requests.filter(is).length;
  const wasReplayed = ({ answer }: LogicalRequest) => answer?.isReplay === true;
  const interrupted = crowd.requests.filter((request) => request.interruption !== undefined);
  return {
    rounds: 1,
    kills: strike.kills,
    atWork: strike.atWork ?? 0,
    requests: crowd.requests.length,
    tries: crowd.tries,
    acknowledged: count((request) => request.outcome === 'acknowledged'),
    refused: count((request) => request.outcome === 'refused'),
    unknown: count((request) => request.outcome === 'unknown'),
    interrupted: interrupted.length,
    interruptions: interrupted.map((request) => request.interruption ?? ''),
    survived: interrupted.filter(wasReplayed).length,
    replaysEqual: found.replays.equal,
    replaysUnequal: found.replays.faults.length,
    ...found.journal,
    wrongBalances: found.wrong.length,
    times: [strike.times],
  };
}

export function sum(one: Figures, other: Figures): Figures {
  const times = [...one.times, ...other.times];
  const interruptions = [...one.interruptions, ...other.interruptions];
  const total = { ...one, times, interruptions };
  for (const name of Object.keys(other) as (keyof Figures)[]) {
    if (name !== 'times' && name !== 'interruptions') total[name] += other[name];
  }
  return total;
}

const VIOLATIONS = [
  'lost',
  'doubled',
  'strange',
  'wrongBalances',
  'replaysUnequal',
  'unknown',
] as const satisfies readonly (keyof Figures)[];

/** What may not happen at all. */
export function violationsOf(figures: Figures): string[] {
  return VIOLATIONS.filter((name) => figures[name] > 0).map((name) => `${name}: ${figures[name]}`);
}

export function roundText(figures: Figures): string {
  return (
    `${figures.acknowledged} acknowledged, ${figures.refused} refused, ` +
    `${figures.interrupted} interrupted, ${figures.replaysEqual} replays equal, ` +
    `lost ${figures.lost}, doubled ${figures.doubled}`
  );
}

export function totalText(figures: Figures): string {
  const { times } = figures;
  const rows: Figure[] = [
    ['rounds', figures.rounds],
    [
      'kills',
      figures.atWork === 0 ? figures.kills : `${figures.kills} (${figures.atWork} at work)`,
    ],
    ['requests', `${figures.requests} (${figures.tries} tries)`],
    ['acknowledged', figures.acknowledged],
    ['refused', figures.refused],
    ['interrupted and retried', `${figures.interrupted}${kindsText(figures.interruptions)}`],
    ['  carried out before the answer was lost', figures.survived],
    ['replays byte-equal', `${figures.replaysEqual}, unequal ${figures.replaysUnequal}`],
    ['lost', figures.lost],
    ['doubled', figures.doubled],
    ['strange entries', figures.strange],
    ['still unknown', figures.unknown],
    ['wrong balances', figures.wrongBalances],
    ['kill to first new acknowledgement', answeredText(times.map((time) => time.newMs))],
    [
      'kill to first interrupted one answered',
      answeredText(times.map((time) => time.interruptedMs)),
    ],
    ['kill to first answer of the successor', answeredText(times.map((time) => time.successorMs))],
  ];
  return figuresText(rows);
}

function kindsText(kinds: readonly string[]): string {
  const counts = Map.groupBy(kinds, (kind) => kind);
  if (counts.size === 0) return '';
  return ` (${[...counts].map(([kind, all]) => `${all.length} ${kind}`).join(', ')})`;
}

function answeredText(times: readonly (number | undefined)[]): string {
  return timesText(
    times.filter((ms) => ms !== undefined),
    ...[0.5, 1],
  );
}
