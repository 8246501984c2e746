//! Keeps operations that were left open from continuing by themselves.
import type { World } from './world.ts';

/**
 * No operation is due for an hour. Otherwise a due operation counts as running for ten seconds, and
 * a step whose reply was lost is due in half a second.
 */
export async function postponeAll(world: Pick<World, 'rows'>): Promise<void> {
  await world.rows(
    `update operation set next_try_at = now() + interval '1 hour' where status = 'RUNNING'`,
  );
}
