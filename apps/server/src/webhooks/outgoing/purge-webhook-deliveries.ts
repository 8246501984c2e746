//! Deletes deliveries past retention, in small batches: a background job.
import { instantText } from '@holdfast/kernel/clock';
import type { WebhookApp } from './webhook-app.ts';

const DAY_MS = 86_400_000;
const AT_ONCE = 1000;
const ROUNDS_MAX = 500;

/** Deliveries that are still retried stay. */
export async function purgeWebhookDeliveries(
  app: Pick<WebhookApp, 'pool' | 'clock' | 'config'>,
): Promise<number> {
  const before = instantText(app.clock.now() - app.config.HOLDFAST_WEBHOOK_LOG_DAYS * DAY_MS);
  let purged = 0;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const { rows } = await app.pool.query<{ count: number }>(
      'select work.purge_webhook_deliveries($1, $2) as count',
      [before, AT_ONCE],
    );
    const count = rows[0]?.count ?? 0;
    purged += count;
    if (count < AT_ONCE) break;
  }
  return purged;
}
