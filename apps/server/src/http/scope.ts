//! Who may call which endpoint.
import type { Endpoint } from '@holdfast/contract/endpoint';
import { refuse } from '@holdfast/contract/errors';
import type { Caller } from '../platform/call.ts';

/** True when the actor may call the endpoint; refuses with what it lacks. */
export function checkScope(endpoint: Endpoint, actor: Caller | undefined): void {
  const { scope, master } = endpoint;
  if (scope === 'public' || scope === 'signature') return;
  if (actor === undefined) refuse('UNAUTHORIZED', {});
  // Neither surface's door opens with the other's key.
  if ((actor.kind === 'member') !== (scope === 'member')) refuse('UNAUTHORIZED', {});
  if (actor.kind === 'member') return;
  if (actor.kind === 'master') {
    if (scope !== 'master' && master !== true) refuse('UNAUTHORIZED', {});
    return;
  }
  if (scope === 'master') refuse('INSUFFICIENT_SCOPE', { required: 'master' });
  if (scope !== 'any' && !actor.scopes.some((each) => each === scope))
    refuse('INSUFFICIENT_SCOPE', { required: scope });
}
