//! Who may call which endpoint.
import type { Endpoint } from '@holdfast/contract/endpoint';
import { refuse } from '@holdfast/contract/errors';
import { rolesOf } from '@holdfast/contract/roles';
import type { Caller, OperatorActor, PersonActor } from '../platform/call.ts';

/** Refuses with what the actor lacks. */
export function checkScope(endpoint: Endpoint, actor: Caller | undefined): void {
  if (endpoint.scope === 'public' || endpoint.scope === 'signature') return;
  if (actor === undefined) refuse('UNAUTHORIZED', {});
  else if (actor.kind === 'person') checkPerson(endpoint, actor);
  else if (actor.kind === 'operator') checkRole(endpoint, actor);
  else checkBearer(endpoint, actor);
}

function checkBearer(
  { scope, master }: Endpoint,
  actor: Exclude<Caller, OperatorActor | PersonActor>,
): void {
  // Neither surface's door opens with the other's key, and a person's with none at all.
  if (scope === 'session' || scope === 'operator') refuse('UNAUTHORIZED', {});
  if ((actor.kind === 'member') !== (scope === 'member')) refuse('UNAUTHORIZED', {});
  if (actor.kind === 'member') return;
  if (actor.kind === 'master') {
    if (scope !== 'master' && master !== true) refuse('UNAUTHORIZED', {});
    return;
  }
  if (scope === 'master' || scope === 'platform')
    refuse('INSUFFICIENT_SCOPE', { required: 'master' });
  if (scope !== 'any' && !actor.scopes.some((each) => each === scope))
    refuse('INSUFFICIENT_SCOPE', { required: scope });
}

/** Somebody outside of all marketplaces: what is within one is not theirs to call. */
function checkPerson(endpoint: Endpoint, { isPlatformAdmin, strangeTo }: PersonActor): void {
  const { scope, platform } = endpoint;
  if (scope === 'session') return;
  if (scope === 'platform' || (platform === true && strangeTo === null)) {
    if (!isPlatformAdmin) refuse('OPERATOR_ROLE_REQUIRED', { required: ['platform admin'] });
    return;
  }
  if (rolesOf(endpoint).length === 0) refuse('OPERATOR_ROLE_REQUIRED', { required: [] });
  // As for a marketplace that does not exist.
  if (strangeTo !== null) refuse('MARKETPLACE_NOT_FOUND', { marketplaceId: strangeTo });
  refuse('MARKETPLACE_REQUIRED', {});
}

function checkRole(endpoint: Endpoint, { role }: OperatorActor): void {
  const required = [...rolesOf(endpoint)];
  if (!required.includes(role)) refuse('OPERATOR_ROLE_REQUIRED', { required });
}
