//! Background job that applies due inbox events: those that came early, that an operation was busy
//! with, or that a crashed process left.
import { type Applier, applyProviderEvent } from './apply-provider-event.ts';
import { listDueEvents } from './provider-event.ts';

const EVENTS_MAX = 100;
const AT_ONCE = 4;

/** Any number of workers may run this: each event is claimed by one at a time. */
export async function applyInbox(app: Applier): Promise<number> {
  const due = await listDueEvents(app.pool, EVENTS_MAX, app.clock.now());
  const waiting = due.values();
  const applyMany = async () => {
    for (const ref of waiting) await applyProviderEvent(app, ref);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, applyMany));
  return due.length;
}
