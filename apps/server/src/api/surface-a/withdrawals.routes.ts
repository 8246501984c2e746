//! Routes of withdrawals.
import { surfaceA } from '@holdfast/contract/surface-a';
import type { App } from '../../app/wire.ts';
import { cancelWithdrawal } from '../../payments/withdrawals/cancel-withdrawal.ts';
import { commitWithdrawal } from '../../payments/withdrawals/commit-withdrawal.ts';
import { createWithdrawal } from '../../payments/withdrawals/create-withdrawal.ts';
import { getWithdrawal, listWithdrawals } from '../../payments/withdrawals/read-withdrawals.ts';
import { refreshWithdrawal } from '../../payments/withdrawals/refresh-withdrawal.ts';
import { revealWithdrawal } from '../../payments/withdrawals/reveal-withdrawal.ts';
import type { Surface } from '../http/serve.ts';
import { countUser } from '../http/user-limit.ts';
import { withdrawalView } from './views/withdrawal.view.ts';

export function withdrawalRoutes(surface: Surface, app: App): void {
  const { HOLDFAST_WITHDRAWALS_PER_USER: perUser } = app.config;
  surface.serve(surfaceA.createWithdrawal, {
    run: async (call, { body }) => {
      await countUser(app, call, 'withdrawals', body.userId, perUser);
      return createWithdrawal(app, call, body);
    },
    respond: (withdrawal) => ({ data: withdrawalView(withdrawal) }),
  });
  surface.serveList(surfaceA.listWithdrawals, {
    run: (call, { query }) => listWithdrawals(app, call, query),
    item: withdrawalView,
  });
  surface.serve(surfaceA.getWithdrawal, {
    run: (call, { params }) => getWithdrawal(app, call, params.id),
    respond: (withdrawal) => ({ data: withdrawalView(withdrawal) }),
  });
  surface.serve(surfaceA.commitWithdrawal, {
    run: (call, { params }) => commitWithdrawal(app, call, params.id),
    respond: (withdrawal) => ({ data: withdrawalView(withdrawal) }),
  });
  surface.serve(surfaceA.cancelWithdrawal, {
    run: (call, { params, body }) => cancelWithdrawal(app, call, params.id, body ?? {}),
    respond: (withdrawal) => ({ data: withdrawalView(withdrawal) }),
  });
  surface.serve(surfaceA.refreshWithdrawal, {
    run: (call, { params }) => refreshWithdrawal(app, call, params.id),
    respond: (withdrawal) => ({ data: withdrawalView(withdrawal) }),
  });
  surface.serve(surfaceA.revealWithdrawal, {
    run: (call, { params, body }) => revealWithdrawal(app, call, params.id, body),
    respond: (withdrawal) => ({ data: withdrawalView(withdrawal) }),
  });
}
