//! Routes of users.
import { surfaceA } from '@holdfast/contract/surface-a';
import type { Surface } from '../http/serve.ts';
import { createUser } from '../users/create-user.ts';
import { freezeUser } from '../users/freeze-user.ts';
import { getUser } from '../users/get-user.ts';
import { listUsers } from '../users/list-users.ts';
import { revealUser } from '../users/reveal-user.ts';
import { unfreezeUser } from '../users/unfreeze-user.ts';
import type { App } from '../wire.ts';
import { userView } from './user.view.ts';

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
  surface.serve(surfaceA.revealUser, {
    run: (call, { params, body }) => revealUser(app, call, params.id, body),
    respond: (user) => ({ data: userView(user) }),
  });
}
