//! Forgets deliveries past their days, a little at a time: a background job.
import { instantText } from '@holdfast/kernel/clock';
import type { WebhookApp } from './webhook-app.ts';

const DAY_MS = 86_400_000;
const AT_ONCE = 1000;
const ROUNDS_MAX = 500;

/** Those that are still tried stay. */
export async function forgetWebhookDeliveries(
  app: Pick<WebhookApp, 'pool' | 'clock' | 'config'>,
): Promise<number> {
  const before = instantText(app.clock.now() - app.config.HOLDFAST_WEBHOOK_LOG_DAYS * DAY_MS);
  let forgotten = 0;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const { rows } = await app.pool.query<{ count: number }>(
      'select work.forget_webhook_deliveries($1, $2) as count',
      [before, AT_ONCE],
    );
    const count = rows[0]?.count ?? 0;
    forgotten += count;
    if (count < AT_ONCE) break;
  }
  return forgotten;
}
