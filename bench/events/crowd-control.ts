//! Starts the crowd of readers and talks to it.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { CrowdOrder, CrowdParams, CrowdReport } from './crowd-messages.ts';

export interface Crowd {
  readonly pid: number;
  /** Resolves when every reader's stream has begun. */
  open(params: CrowdParams): Promise<void>;
  /** What arrived since the last time. */
  report(): Promise<Extract<CrowdReport, { deliveries: unknown }>>;
  close(): void;
}

export function startCrowd(): Crowd {
  const child = fork(fileURLToPath(import.meta.resolve('./crowd.ts')), [], {
    serialization: 'advanced', // Typed arrays go over as they are.
  });
  let waiting: { resolve(report: CrowdReport): void; reject(error: Error): void } | undefined;
  child.on('message', (report: CrowdReport) => waiting?.resolve(report));
  child.once('exit', () => waiting?.reject(new Error('the crowd ended by itself')));
  const ask = async (order: CrowdOrder): Promise<CrowdReport> => {
    const answer = new Promise<CrowdReport>((resolve, reject) => {
      waiting = { resolve, reject };
    });
    child.send(order);
    const report = await answer;
    if (typeof report === 'object' && 'fault' in report) throw new Error(report.fault);
    return report;
  };
  return {
    pid: child.pid ?? 0,
    open: async (params) => {
      await ask({ open: params });
    },
    report: async () => {
      const report = await ask('report');
      if (typeof report === 'string' || !('deliveries' in report)) throw new Error('no report');
      return report;
    },
    close: () => child.disconnect(),
  };
}
