//! The last table of `npm run check -- --profile`: the time and the waits of each step.
import type { MachineUse, MachineWatch } from './machine-use.ts';
import type { Ended } from './run-step.ts';

const HEAD = 'step             wall s   cpu s   busy  disk  idle  stolen';

export function profileOf(ended: readonly Ended[], machine: MachineWatch): string {
  const rows = ended.map(({ step, startedAt, endedAt, cpuSeconds }) =>
    rowOf(step.name, endedAt - startedAt, cpuSeconds, machine.between(startedAt, endedAt)),
  );
  const from = Math.min(...ended.map(({ startedAt }) => startedAt));
  const to = Math.max(...ended.map(({ endedAt }) => endedAt));
  const cpu = ended.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
  const all = rowOf('all', to - from, cpu, machine.between(from, to));
  return [
    'Cost of each step. Steps that ran beside each other share the machine, so figures overlap.',
    'Busy: the processors worked. Disk: they waited for it. Idle: all steps waited for timers or',
    'responses. Stolen: other machines of the same host had the processors.',
    HEAD,
    ...rows,
    all,
  ].join('\n');
}

function rowOf(name: string, wallMs: number, cpu: number, use: MachineUse | undefined): string {
  const share = (part: keyof MachineUse, width: number) =>
    (use === undefined ? '-' : `${Math.round(100 * use[part])}%`).padStart(width);
  return (
    name.padEnd(15) +
    (wallMs / 1000).toFixed(1).padStart(8) +
    cpu.toFixed(1).padStart(8) +
    share('busy', 7) +
    share('disk', 6) +
    share('idle', 6) +
    share('stolen', 8)
  );
}
