//! Applies what waits in the inbox and is due: a background job, for what came early, what an
//! operation was at, and what a process left when it died.
import { type Applier, applyProviderEvent } from './apply-provider-event.ts';
import { listDueEvents } from './provider-event.ts';

const EVENTS_MAX = 100;
const AT_ONCE = 4;

/** Any number of workers: each event has one turn at a time. */
export async function applyInbox(app: Applier): Promise<number> {
  const due = await listDueEvents(app.pool, EVENTS_MAX, app.clock.now());
  const waiting = due.values();
  const applyMany = async () => {
    for (const place of waiting) await applyProviderEvent(app, place);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, applyMany));
  return due.length;
}
