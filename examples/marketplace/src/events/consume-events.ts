//! Follows Holdfast's event log for as long as the shop runs, from where it was left.
import type { CursorStore } from '@holdfast/sdk';
import type { Shop } from '../shop.ts';
import { readSetting, writeSetting } from '../store/settings.ts';
import { applyEvent, CURSOR } from './apply-event.ts';
import { readAnew } from './read-anew.ts';

/** Runs until the signal is given. */
export function consumeEvents(shop: Shop, signal: AbortSignal): Promise<void> {
  const { database, holdfast, live } = shop;
  const store: CursorStore = {
    load: () => readSetting(database, CURSOR),
    // `applyEvent` has kept it already, in one transaction with what the event changed.
    save: () => undefined,
  };
  return holdfast.events.consume(
    async (event, context) => live.tell(applyEvent(database, event, context?.cursor)),
    {
      store,
      signal,
      // The shop was away for longer than events are kept: what they told is read instead.
      async onReset({ keptSince }) {
        await readAnew(shop);
        writeSetting(database, CURSOR, keptSince);
      },
    },
  );
}
