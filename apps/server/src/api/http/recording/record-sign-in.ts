//! Passes refused sign-ins to the audit log: wrong passwords, codes and invitations, attempts over
//! the limit.
import type { Endpoint } from '@holdfast/contract/endpoint';
import type { FastifyRequest } from 'fastify';
import type { RefusedSignInLog } from '../../../platform/refused-sign-in.ts';
import { clientOf } from '../client.ts';

const REFUSED: ReadonlySet<string> = new Set([
  'SIGN_IN_REFUSED',
  'INVALID_CREDENTIALS',
  'INVITATION_INVALID',
]);

export interface SignInRecorder {
  readonly refusedSignIns: RefusedSignInLog;
}

export function recordSignIn(
  { refusedSignIns }: SignInRecorder,
  request: FastifyRequest,
  endpoint: Endpoint | undefined,
): void {
  const { actor, refusalCode, id: requestId } = request;
  if (refusalCode === undefined || endpoint === undefined) return;
  const { email } = (request.body ?? {}) as { email?: unknown };
  const isRefused = REFUSED.has(refusalCode);
  const isOverLimit = refusalCode === 'RATE_LIMITED' && isSignIn(endpoint) && email !== undefined;
  if (!isRefused && !isOverLimit) return;
  refusedSignIns.record({
    flow: endpoint.surface === 'b' ? 'member' : 'operator',
    accountId: actor?.id,
    email: actor === undefined && typeof email === 'string' ? email : undefined,
    client: clientOf(request),
    requestId,
  });
}

function isSignIn({ id }: Endpoint): boolean {
  return id === 'signIn' || id === 'logIn';
}
