//! Background job that applies due inbox events: those that came early, that an operation was busy
//! with, or that a crashed process left.
import { mapAtOnce } from '../../platform/semaphore.ts';
import { type Applier, applyProviderEvent } from './apply-provider-event.ts';
import { listDueEvents } from './inbox.ts';

const EVENTS_MAX = 100;
const AT_ONCE = 4;

/** Any number of workers may run this: each event is claimed by one at a time. */
export async function applyInbox(app: Applier): Promise<number> {
  const due = await listDueEvents(app.pool, EVENTS_MAX, app.clock.now());
  await mapAtOnce(AT_ONCE, due, (ref) => applyProviderEvent(app, ref));
  return due.length;
}
