//! Reads operators.
import { assert } from '@holdfast/kernel/assert';
import type { Call, PersonActor, Session } from '../../platform/call.ts';
import { type Page, type PageQuery, pageOf } from '../../platform/database/page.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import {
  findOperator,
  listNameRows,
  listOperatorRows,
  type Operator,
  type OperatorName,
} from './operator.ts';
import { listOpenSessions, type OpenSession } from './session.ts';

export type { OpenSession } from './session.ts';

export interface CurrentSession {
  readonly operator: Operator;
  readonly session: Session;
}

/** GET /operators/me: the operator who is signed in, and their marketplaces. */
export async function getSession(
  app: Transactor,
  call: Call<PersonActor>,
): Promise<CurrentSession> {
  const { id, session } = call.actor;
  const operator = await read(app, call, (tx) => findOperator(tx, id));
  assert(operator !== undefined, 'the operator of a session exists');
  return { operator, session };
}

/** GET /operators/me/sessions: those that have not ended, newest first. */
export async function listSessions(
  app: Transactor,
  call: Call<PersonActor>,
): Promise<OpenSession[]> {
  const { id, session } = call.actor;
  return read(app, call, (tx) => listOpenSessions(tx, id, session.id));
}

/** GET /operators: newest first. */
export async function listOperators(
  app: Transactor,
  call: Call,
  query: PageQuery,
): Promise<Page<Operator>> {
  return read(app, call, (tx) =>
    pageOf(query, (after, count) => listOperatorRows(tx, after, count)),
  );
}

/**
 * GET /operators/names: of current and former operators of a marketplace, and of platform admins.
 */
export async function listOperatorNames(
  app: Transactor,
  call: Call,
  query: PageQuery,
): Promise<Page<OperatorName>> {
  return read(app, call, (tx) => pageOf(query, (after, count) => listNameRows(tx, after, count)));
}
