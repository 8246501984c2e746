//! Operations that were left open, kept from going on by themselves.
import type { World } from './world.ts';

/**
 * An hour until any operation looks again. What is due counts as being driven for ten seconds, and
 * a step whose answer was lost is due in half a second.
 */
export async function postponeAll(world: Pick<World, 'rows'>): Promise<void> {
  await world.rows(
    `update operation set next_try_at = now() + interval '1 hour' where status = 'RUNNING'`,
  );
}
