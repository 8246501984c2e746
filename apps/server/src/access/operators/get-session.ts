//! Returns the operator who is signed in, and their marketplaces: GET /operators/me.
import { assert } from '@holdfast/kernel/assert';
import type { Call, PersonActor, Session } from '../../platform/call.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { findOperator, type Operator } from './operator.ts';

export interface CurrentSession {
  readonly operator: Operator;
  readonly session: Session;
}

export async function getSession(
  app: Transactor,
  call: Call<PersonActor>,
): Promise<CurrentSession> {
  const { id, session } = call.actor;
  const operator = await read(app, call, (tx) => findOperator(tx, id));
  assert(operator !== undefined, 'the operator of a session exists');
  return { operator, session };
}
