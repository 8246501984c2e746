//! What the providers tell us.
import { surfaceA } from '@holdfast/contract/surface-a';
import type { Surface } from '../http/serve.ts';
import { receiveEscrowWebhook } from '../inbox/receive-escrow-webhook.ts';
import type { App } from '../wire.ts';

export function webhookRoutes(surface: Surface, app: App): void {
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
