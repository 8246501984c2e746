//! Where a consumer keeps how far it has come.

/**
 * Keeps one cursor. The consumer saves after each event that was dealt with, so that after a crash
 * it goes on with the first that was not.
 *
 * Kept in the database of your own effects, in the same transaction, at least once becomes exactly
 * once: let the handler write the cursor that it is told, and let `save` do nothing.
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

/** Forgets with the process: for tests, and for what needs only the events from now on. */
export function memoryCursorStore(cursor?: string): CursorStore {
  let kept = cursor;
  return {
    load: () => kept,
    save(next) {
      kept = next;
    },
  };
}
