//! Routes of users.
import { surfaceA } from '@holdfast/contract/surface-a';
import { createUser } from '../../accounts/users/create-user.ts';
import { freezeUser } from '../../accounts/users/freeze-user.ts';
import { getUser, listUsers } from '../../accounts/users/read-users.ts';
import { revealUser } from '../../accounts/users/reveal-user.ts';
import { unfreezeUser } from '../../accounts/users/unfreeze-user.ts';
import { listDebts, writeOffDebt } from '../../accounts/users/write-off-debt.ts';
import type { App } from '../../app/wire.ts';
import { createPasswordReset } from '../../members/account/create-password-reset.ts';
import type { Surface } from '../http/serve.ts';
import { debtView } from './views/balance.view.ts';
import { passwordResetView, userView } from './views/user.view.ts';

export function userRoutes(surface: Surface, app: App): void {
  surface.serve(surfaceA.createUser, {
    run: (call, { body }) => createUser(app, call, body),
    respond: ({ user, isNew }) => ({ data: userView(user), status: isNew ? 201 : 200 }),
  });
  surface.serveList(surfaceA.listUsers, {
    run: (call, { query }) => listUsers(app, call, query),
    item: userView,
  });
  surface.serve(surfaceA.getUser, {
    run: (call, { params }) => getUser(app, call, params.id),
    respond: (user) => ({ data: userView(user) }),
  });
  surface.serve(surfaceA.freezeUser, {
    run: (call, { params, body }) => freezeUser(app, call, params.id, body),
    respond: (user) => ({ data: userView(user) }),
  });
  surface.serve(surfaceA.unfreezeUser, {
    run: (call, { params, body }) => unfreezeUser(app, call, params.id, body),
    respond: (user) => ({ data: userView(user) }),
  });
  surface.serve(surfaceA.createPasswordReset, {
    run: (call, { params }) => createPasswordReset(app, call, params.id),
    respond: (issued) => ({ data: { ...passwordResetView(issued), token: issued.token } }),
    storedData: passwordResetView,
  });
  surface.serve(surfaceA.listDebts, {
    run: (call, { params }) => listDebts(app, call, params.id),
    respond: (debts) => ({ data: debts.map(debtView) }),
  });
  surface.serve(surfaceA.writeOffDebt, {
    run: (call, { params, body }) => writeOffDebt(app, call, params.id, body),
    respond: (debt) => ({ data: debtView(debt) }),
  });
  surface.serve(surfaceA.revealUser, {
    run: (call, { params, body }) => revealUser(app, call, params.id, body),
    respond: (user) => ({ data: userView(user) }),
  });
}
