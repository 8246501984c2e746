//! Reads Holdfast's event log for as long as the shop runs, from the last stored cursor.
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
    async (event, context) => live.notify(applyEvent(database, event, context?.cursor)),
    {
      store,
      signal,
      // The shop was away for longer than the log's retention: it reads the current state instead.
      async onReset({ retainedSince }) {
        await readAnew(shop);
        writeSetting(database, CURSOR, retainedSince);
      },
    },
  );
}
