//! Checks which actor may call which endpoint.
import type { Endpoint } from '@holdfast/contract/endpoint';
import { refuse } from '@holdfast/contract/errors';
import { rolesOf } from '@holdfast/contract/roles';
import type { Caller, OperatorActor, PersonActor } from '../../platform/call.ts';

/** Refuses, naming the scope or role that the actor lacks. */
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
  // A key of one surface is refused on the other, and every key on routes for people.
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

/** An operator outside all marketplaces: routes within a marketplace are not open to them. */
function checkPerson(
  endpoint: Endpoint,
  { isPlatformAdmin, foreignMarketplaceId }: PersonActor,
): void {
  const { scope, platform } = endpoint;
  if (scope === 'session') return;
  if (scope === 'platform' || (platform === true && foreignMarketplaceId === null)) {
    if (!isPlatformAdmin) refuse('OPERATOR_ROLE_REQUIRED', { required: ['platform admin'] });
    return;
  }
  if (rolesOf(endpoint).length === 0) refuse('OPERATOR_ROLE_REQUIRED', { required: [] });
  // The same refusal as for a marketplace that does not exist.
  if (foreignMarketplaceId !== null)
    refuse('MARKETPLACE_NOT_FOUND', { marketplaceId: foreignMarketplaceId });
  refuse('MARKETPLACE_REQUIRED', {});
}

function checkRole(endpoint: Endpoint, { role }: OperatorActor): void {
  const required = [...rolesOf(endpoint)];
  if (!required.includes(role)) refuse('OPERATOR_ROLE_REQUIRED', { required });
}
