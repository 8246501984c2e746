//! The other way to receive events: signed webhooks instead of the stream.
//!
//! Choose it when the shop cannot keep a connection open, for instance on a serverless platform.
//! The rest is the same: `applyEvent` applies an event once, however often
//! it is sent. Register `<the shop>/webhooks/holdfast` as a webhook endpoint, and give the shop its
//! secret as HOLDFAST_WEBHOOK_SECRET.
import { fastifyWebhook } from '@holdfast/sdk/webhooks';
import type { FastifyInstance } from 'fastify';
import type { Shop } from '../shop.ts';
import { applyEvent } from './apply-event.ts';

export async function receiveWebhooks(app: FastifyInstance, shop: Shop): Promise<void> {
  const { webhookSecret: secret } = shop.config;
  if (secret === undefined) return;
  // Two secrets, separated by a space, while one takes the place of the other.
  const secrets = secret.split(' ');
  await app.register(
    fastifyWebhook(
      '/webhooks/holdfast',
      async (event) => shop.live.notify(applyEvent(shop.database, event)),
      { secret: secrets },
    ),
  );
}
