//! A valid and an invalid call to every endpoint of outbound webhooks.

import { anEndpoint, HOOK_URL } from '../webhook-receiver.ts';
import type { Market } from '../world.ts';
import type { Attempt, Scenario } from './order-scenarios.ts';

export function webhookScenarios(
  here: () => { readonly market: Market },
): Readonly<Record<string, readonly Scenario[]>> {
  const on =
    (attempt: Attempt = {}, isPaused = false): Scenario =>
    async () => ({
      ids: { webhookEndpointId: await anEndpoint(here().market, isPaused) },
      ...attempt,
    });
  const plain: Scenario = async () => ({});
  const late = { refused: 'INVALID_STATE' } as const;
  const since = new Date().toISOString();
  return {
    createWebhookEndpoint: [
      async () => ({ body: { url: HOOK_URL } }),
      async () => ({ body: { url: 'http://10.0.0.1/' }, refused: 'WEBHOOK_URL_REFUSED' }),
    ],
    listWebhookEndpoints: [plain],
    getWebhookEndpoint: [on()],
    updateWebhookEndpoint: [on({ body: { types: ['order.*'] } })],
    deleteWebhookEndpoint: [on()],
    rotateWebhookSecret: [on({ body: {} })],
    pauseWebhookEndpoint: [on({ body: {} }), on({ body: {}, ...late }, true)],
    resumeWebhookEndpoint: [on({}, true), on(late)],
    testWebhookEndpoint: [on()],
    replayWebhookEvents: [on({ body: { since } })],
    listWebhookDeliveries: [on()],
  };
}
