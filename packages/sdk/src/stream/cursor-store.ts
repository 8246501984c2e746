//! The interface of a consumer's cursor store, and a store in memory.

/**
 * Stores one cursor. The consumer saves after each handled event, so that after a crash it
 * continues with the first unhandled one.
 *
 * Stored in the database of your own effects, in the same transaction, at least once becomes
 * exactly once: let the handler write the cursor from its context, and let `save` do nothing.
 *
 * ```ts
 * const store: CursorStore = {
 *   async load() {
 *     const { rows } = await pool.query(
 *       'select cursor from holdfast_cursor where name = $1',
 *       ['shop'],
 *     );
 *     return rows[0]?.cursor;
 *   },
 *   async save(cursor) {
 *     await pool.query(
 *       'insert into holdfast_cursor (name, cursor) values ($1, $2) ' +
 *         'on conflict (name) do update set cursor = excluded.cursor',
 *       ['shop', cursor],
 *     );
 *   },
 * };
 * ```
 */
export interface CursorStore {
  /** The cursor that was saved last; undefined at the very first start. */
  load(): Promise<string | undefined> | string | undefined;
  save(cursor: string): Promise<void> | void;
}

/** Lost with the process: for tests, and for consumers that need only new events. */
export function memoryCursorStore(cursor?: string): CursorStore {
  let saved = cursor;
  return {
    load: () => saved,
    save(next) {
      saved = next;
    },
  };
}
