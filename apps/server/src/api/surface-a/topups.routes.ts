//! Routes of top-ups.
import { surfaceA } from '@holdfast/contract/surface-a';
import type { App } from '../../app/wire.ts';
import { cancelTopup } from '../../payments/topups/cancel-topup.ts';
import { createTopup } from '../../payments/topups/create-topup.ts';
import { getTopup, listTopups } from '../../payments/topups/read-topups.ts';
import { refreshTopup } from '../../payments/topups/refresh-topup.ts';
import { showTopupReturn } from '../../payments/topups/show-topup-return.ts';
import type { Surface } from '../http/serve.ts';
import { countUser } from '../http/user-limit.ts';
import { topupView } from './views/topup.view.ts';

export function topupRoutes(surface: Surface, app: App): void {
  const { HOLDFAST_TOPUPS_PER_USER: perUser } = app.config;
  surface.serve(surfaceA.createTopup, {
    run: async (call, { body }) => {
      await countUser(app, call, 'topups', body.userId, perUser);
      return createTopup(app, call, body);
    },
    respond: (topup) => ({ data: topupView(topup) }),
  });
  surface.serveList(surfaceA.listTopups, {
    run: (call, { query }) => listTopups(app, call, query),
    item: topupView,
  });
  surface.serve(surfaceA.getTopup, {
    run: (call, { params }) => getTopup(app, call, params.id),
    respond: (topup) => ({ data: topupView(topup) }),
  });
  surface.serve(surfaceA.refreshTopup, {
    run: (call, { params }) => refreshTopup(app, call, params.id),
    respond: (topup) => ({ data: topupView(topup) }),
  });
  surface.serve(surfaceA.cancelTopup, {
    run: (call, { params, body }) => cancelTopup(app, call, params.id, body ?? {}),
    respond: (topup) => ({ data: topupView(topup) }),
  });
  surface.serveRedirect(surfaceA.topupCallback, {
    run: ({ params }, added) =>
      showTopupReturn(app, params.id, { isCanceled: added['from'] === 'cancel' }),
  });
}
