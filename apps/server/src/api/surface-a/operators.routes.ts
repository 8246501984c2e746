//! Routes of operators: signing in and out, roles and memberships.
import { surfaceA } from '@holdfast/contract/surface-a';
import { instantText } from '@holdfast/kernel/clock';
import { activateOperator } from '../../access/enrollment/activate-operator.ts';
import { createOperator } from '../../access/enrollment/create-operator.ts';
import { enrollOperator } from '../../access/enrollment/enroll-operator.ts';
import { openInvitation } from '../../access/enrollment/open-invitation.ts';
import { resetOperator } from '../../access/enrollment/reset-operator.ts';
import { openSession } from '../../access/operators/open-session.ts';
import {
  getSession,
  listOperatorNames,
  listOperators,
  listSessions,
} from '../../access/operators/read-operators.ts';
import { revokeSession } from '../../access/operators/revoke-session.ts';
import { setMemberships } from '../../access/operators/set-memberships.ts';
import { setOperatorStatus } from '../../access/operators/set-operator-status.ts';
import { setPassword } from '../../access/operators/set-password.ts';
import type { App } from '../../app/wire.ts';
import { countAttempt, countEnrollment } from '../http/attempts.ts';
import { deviceCookie } from '../http/device-cookie.ts';
import type { Surface } from '../http/serve.ts';
import {
  enrollmentView,
  newOperatorView,
  openSessionView,
  operatorView,
  sessionView,
} from './views/operator.view.ts';

export function operatorRoutes(surface: Surface, app: App): void {
  enrollmentRoutes(surface, app);
  const { HOLDFAST_APPROVAL_LIMIT: limit } = app.config;
  surface.serve(surfaceA.signIn, {
    run: async (call, { body, address, userAgent, cookies }) => {
      const attempt = { flow: 'sign-in', email: body.email, address, cookies } as const;
      const queue = await countAttempt(app, attempt);
      return openSession(app, call, body, { address, userAgent, queue });
    },
    respond: (signedIn) => ({
      data: sessionView(signedIn, limit),
      cookies: [
        app.operators.cookieOf(signedIn.token),
        deviceCookie(app, 'sign-in', signedIn.operator.email),
      ],
    }),
  });
  surface.serve(surfaceA.signOut, {
    run: (call) => revokeSession(app, call),
    respond: (at) => ({
      data: { signedOutAt: instantText(at) },
      cookies: [app.operators.endedCookie],
    }),
  });
  surface.serve(surfaceA.getSession, {
    run: (call) => getSession(app, call),
    respond: (session) => ({ data: sessionView(session, limit) }),
  });
  surface.serve(surfaceA.changePassword, {
    run: async (call, { body, address }) => {
      const { email, session } = call.actor;
      const attempt = { flow: 'sign-in', email, address, session: session.id } as const;
      return setPassword(app, call, body, await countAttempt(app, attempt));
    },
    respond: (operator) => ({ data: operatorView(operator) }),
  });
  surface.serve(surfaceA.listSessions, {
    run: (call) => listSessions(app, call),
    respond: (sessions) => ({ data: { sessions: sessions.map(openSessionView) } }),
  });
  surface.serve(surfaceA.endSession, {
    run: (call, { params }) => revokeSession(app, call, params.id),
    respond: (at) => ({ data: { signedOutAt: instantText(at) } }),
  });
  surface.serveList(surfaceA.listOperators, {
    run: (call, { query }) => listOperators(app, call, query),
    item: operatorView,
  });
  surface.serveList(surfaceA.listOperatorNames, {
    run: (call, { query }) => listOperatorNames(app, call, query),
    item: ({ id, name }) => ({ id, name }),
  });
  surface.serve(surfaceA.setMemberships, {
    run: (call, { params, body }) => setMemberships(app, call, params.id, body),
    respond: (operator) => ({ data: operatorView(operator) }),
  });
  surface.serve(surfaceA.setOperatorStatus, {
    run: (call, { params, body }) => setOperatorStatus(app, call, params.id, body),
    respond: (operator) => ({ data: operatorView(operator) }),
  });
}

function enrollmentRoutes(surface: Surface, app: App): void {
  surface.serve(surfaceA.openInvitation, {
    run: async (call, { body, address }) => {
      await countEnrollment(app, address);
      return openInvitation(app, call, body.token);
    },
    respond: (opened) => ({ data: enrollmentView(opened) }),
  });
  surface.serve(surfaceA.enroll, {
    run: async (call, { body, address }) =>
      enrollOperator(app, call, body, await countEnrollment(app, address)),
    respond: (enrolled) => ({ data: enrolled }),
  });
  surface.serve(surfaceA.createOperator, {
    run: (call, { body }) => createOperator(app, call, body),
    respond: (issued) => ({ data: newOperatorView(issued) }),
    storedData: ({ operator }) => ({ operator: operatorView(operator) }),
  });
  surface.serve(surfaceA.activateOperator, {
    run: (call, { params, body }) => activateOperator(app, call, params.id, body),
    respond: (operator) => ({ data: operatorView(operator) }),
  });
  surface.serve(surfaceA.resetOperator, {
    run: (call, { params, body }) => resetOperator(app, call, params.id, body?.totp),
    respond: (issued) => ({ data: newOperatorView(issued) }),
    storedData: ({ operator }) => ({ operator: operatorView(operator) }),
  });
}
