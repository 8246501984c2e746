//! Routes of inbound webhooks from the providers.
import { surfaceA } from '@holdfast/contract/surface-a';
import type { App } from '../../app/wire.ts';
import { receiveEscrowWebhook } from '../../webhooks/incoming/receive-escrow-webhook.ts';
import { receivePaymentWebhook } from '../../webhooks/incoming/receive-payment-webhook.ts';
import type { Surface } from '../http/serve.ts';

export function providerWebhookRoutes(surface: Surface, app: App): void {
  surface.serveRaw(surfaceA.receivePaymentWebhook, {
    run: ({ requestId, text, header, countAddress }) =>
      receivePaymentWebhook(app, {
        requestId,
        text,
        id: header('svix-id') ?? header('webhook-id'),
        timestamp: header('svix-timestamp') ?? header('webhook-timestamp'),
        signature: header('svix-signature') ?? header('webhook-signature'),
        countAddress,
      }),
  });
  surface.serveRaw(surfaceA.receiveEscrowWebhook, {
    run: ({ requestId, text, header, countAddress }) =>
      receiveEscrowWebhook(app, {
        requestId,
        text,
        signature: header('x-escrow-signature'),
        countAddress,
      }),
  });
}
