//! Waits until nothing moves: no operation open, nobody on the way, nothing left to be told.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Stage } from './stage.ts';
import { countWebhooks } from './world.ts';

export const CONVERGED_MS_MAX = 60_000;
const LOOK_EVERY_MS = 250;
/** Longer than the longest pause between two attempts of a webhook. */
const WEBHOOKS_MS_MAX = 150_000;

const MOVING = `
  select 'operation ' || kind || ' ' || status || ' of ' || resource_id || ', attempt ' || attempts as what
    from operation where status in ('RUNNING', 'RAISED')
  union all select 'open operation of ' || resource_id from operation_open
  union all select 'order ' || id || ' ' || status from orders
    where status in ('ESCROW_CREATING', 'RELEASE_REQUESTED', 'RELEASED', 'REFUND_REQUESTED', 'REFUNDED')
  union all select 'escrow of ' || order_id || ' ' || status from escrow
    where status in ('CREATING', 'FUNDING')
  union all select 'decision of ' || order_id from dispute
    where decision is not null and resolved_at is null
  union all select 'envelope ' || purpose from envelope where state = 'OPEN'
  union all select 'address of ' || user_id from mirror_due
  union all select 'transfer of ' || user_id from mirror_item where status = 'OPEN'
  union all select 'event ' || coalesce(event_type, 'of the audit') from outbox
  union all select 'notice ' || provider_event_id || ' ' || event_type || ', ' || coalesce(last_error, '')
    from inbox where status = 'PENDING'`;

export interface Convergence {
  readonly seconds: number;
  /** What still moved when time was up. */
  readonly moving: readonly string[];
}

export async function converge({ monitor }: Pick<Stage, 'monitor'>): Promise<Convergence> {
  const begunAt = performance.now();
  for (;;) {
    const { rows } = await monitor.query<{ what: string }>(MOVING);
    const ms = performance.now() - begunAt;
    if (rows.length === 0 || ms > CONVERGED_MS_MAX)
      return { seconds: ms / 1000, moving: rows.map(({ what }) => what) };
    await sleep(LOOK_EVERY_MS);
  }
}

/** A notice that comes late must change nothing either: they are all let in before the verdict. */
export async function awaitWebhooks(sandbox: string): Promise<void> {
  const giveUpAt = performance.now() + WEBHOOKS_MS_MAX;
  while (performance.now() < giveUpAt) {
    if ((await countWebhooks(sandbox)).pending === 0) return;
    await sleep(1000);
  }
}
