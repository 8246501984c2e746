//! The state of the deployment, seen from one of its processes: GET /system.
import type { HealthDetailView } from '@holdfast/contract/records';
import type { Instant } from '@holdfast/kernel/clock';
import type { Call } from '../../platform/call.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import type { Health } from '../../platform/process/health.ts';
import {
  findLevel,
  findLogEnd,
  type LogEnd,
  listQueues,
  type Waiting,
} from '../home/queue-rows.ts';

export interface SystemDeps extends Transactor {
  readonly version: string;
  readonly environment: string;
  readonly cell: string;
  /** Our own components, and external dependencies. */
  readonly health: Health;
  readonly requests: { readonly state: RequestLogState };
  readonly config: { readonly HOLDFAST_DASHBOARD_URL?: string | undefined };
}

interface RequestLogState {
  readonly written: number;
  readonly dropped: number;
  readonly waiting: number;
}

export interface System {
  readonly app: Pick<SystemDeps, 'version' | 'environment' | 'cell'>;
  readonly migration: string;
  readonly takenAt: Instant;
  readonly uptimeSeconds: number;
  readonly checks: HealthDetailView['checks'];
  readonly queues: readonly (Waiting & { readonly lagSeconds: number | null })[];
  readonly logEnd: LogEnd;
  readonly requestLog: RequestLogState;
  readonly dashboardUrl: string | null;
}

export async function getSystem(app: SystemDeps, call: Call): Promise<System> {
  const { uptimeSeconds, checks } = await app.health.check();
  const { version, environment, cell, requests, config } = app;
  return read(app, call, async (tx) => ({
    app: { version, environment, cell },
    migration: await findLevel(tx),
    takenAt: tx.now,
    uptimeSeconds,
    checks,
    queues: (await listQueues(tx)).map((queue) => ({
      ...queue,
      lagSeconds: lagSeconds(queue, tx.now),
    })),
    logEnd: await findLogEnd(tx),
    requestLog: requests.state,
    dashboardUrl: config.HOLDFAST_DASHBOARD_URL ?? null,
  }));
}

/** The age of the oldest. */
function lagSeconds({ oldestAt }: Waiting, now: Instant): number | null {
  return oldestAt === null ? null : Math.max(0, Math.floor((now - oldestAt) / 1000));
}
