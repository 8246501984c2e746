//! The mark outside the database: the highest number that Restate was ever given. A database that
//! has a lower one has forgotten something.
import { handlers, type ObjectContext, object, type RetryPolicy } from '@restatedev/restate-sdk';
import { MARK_HANDLER, markName } from './restate-service.ts';

const STATE = 'mark';

/** Advances the mark, unless it is higher already; null only reads. Returns it as it is then. */
export function markObject(cell: string, retryPolicy: RetryPolicy) {
  return object({
    name: markName(cell),
    handlers: {
      [MARK_HANDLER]: handlers.object.exclusive(
        { retryPolicy, journalRetention: 0 },
        async (context: ObjectContext, advanceTo: string | null): Promise<string | null> => {
          const mark = await context.get<string>(STATE);
          if (advanceTo === null || (mark !== null && BigInt(mark) >= BigInt(advanceTo)))
            return mark;
          context.set(STATE, advanceTo);
          return advanceTo;
        },
      ),
    },
  });
}
