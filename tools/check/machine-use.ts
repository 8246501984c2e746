//! Measures the machine while the steps run: busy, waiting for its disk, or idle.
import { existsSync, readFileSync } from 'node:fs';

interface Sample {
  readonly at: number;
  readonly busy: number;
  readonly disk: number;
  readonly idle: number;
  /** Taken by other machines on the same host. */
  readonly stolen: number;
}

/** Shares of the time of all cores, from 0 to 1. */
export type MachineUse = Readonly<Record<'busy' | 'disk' | 'idle' | 'stolen', number>>;

export interface MachineWatch {
  /** Between two times of `performance.now`; undefined where the system does not report it. */
  between(from: number, to: number): MachineUse | undefined;
  stop(): void;
}

const STAT = '/proc/stat';
const EVERY_MS = 1000;

export function watchMachine(): MachineWatch {
  const samples: Sample[] = [];
  const sample = () => {
    if (existsSync(STAT)) samples.push(sampleOf(readFileSync(STAT, 'utf8')));
  };
  sample();
  const timer = setInterval(sample, EVERY_MS);
  return {
    between: (from, to) => {
      sample();
      const first = samples.findLast(({ at }) => at <= from) ?? samples[0];
      const last = samples.find(({ at }) => at >= to) ?? samples.at(-1);
      return first === undefined || last === undefined ? undefined : useOf(first, last);
    },
    stop: () => clearInterval(timer),
  };
}

function sampleOf(stat: string): Sample {
  const fields = stat.slice(0, stat.indexOf('\n')).split(/ +/).slice(1).map(Number);
  const [user = 0, nice = 0, system = 0, idle = 0, disk = 0, irq = 0, soft = 0, stolen = 0] =
    fields;
  const busy = user + nice + system + irq + soft;
  return { at: performance.now(), busy, disk, idle, stolen };
}

function useOf(first: Sample, last: Sample): MachineUse | undefined {
  const [busy, disk, idle, stolen] = (['busy', 'disk', 'idle', 'stolen'] as const).map(
    (part) => last[part] - first[part],
  ) as [number, number, number, number];
  const all = busy + disk + idle + stolen;
  if (all === 0) return undefined;
  return { busy: busy / all, disk: disk / all, idle: idle / all, stolen: stolen / all };
}
