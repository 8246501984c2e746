//! The reference page of the background jobs of a worker.
import { custodyJobs, jobs } from '../../apps/server/src/app/jobs.ts';
import { IDLE_MS, type Job } from '../../apps/server/src/platform/process/scheduler.ts';
import { code, codes, paragraphs, table } from './markdown.ts';

type ShownJob = Omit<Job<never>, 'run'>;

export function jobsPage(): string {
  return paragraphs(
    '# Background jobs',
    'A worker runs these jobs, one run of each at a time. The interval is the pause between two ' +
      'runs. Several workers share the work: each run takes only what no other run has taken. ' +
      'Every worker also runs the sequencer, which brings committed events into one order and ' +
      'writes them to the event log. Operations do not appear here; Restate starts them.',
    `A job marked with * is woken by events. Without events, its interval is ${IDLE_MS} ms.`,
    '## Jobs of every worker',
    tableOf(jobs),
    '## Jobs that need the keys to the wallets',
    'A worker without `HOLDFAST_WALLET_KEYS`, the network or the escrow provider does not run them.',
    tableOf(custodyJobs),
  );
}

function tableOf(list: readonly ShownJob[]): string {
  const rows = [...list].sort((a, b) => (a.name < b.name ? -1 : 1));
  return table(
    ['Job', 'Interval', 'Purpose', 'Events'],
    rows.map((job) => [code(job.name), intervalOf(job), job.description, codes(job.emits)]),
  );
}

function intervalOf({ everyMs, isWokenByEvents }: ShownJob): string {
  const text = typeof everyMs === 'number' ? durationOf(everyMs) : code(everyMs);
  return isWokenByEvents ? `${text} *` : text;
}

const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
] as const;

function durationOf(ms: number): string {
  const unit = UNITS.find(([size]) => ms % size === 0);
  return unit ? `${ms / unit[0]} ${unit[1]}` : `${ms} ms`;
}
