//! The first statements of a transaction: its marketplace, its cause, the role, and whether the
//! database may be written.
import type { LineageStatus } from '@holdfast/contract/records/recovery-records';
import { assert } from '@holdfast/kernel/assert';
import pg from 'pg';
import type { Call, Client } from '../call.ts';
import type { RowNumber } from './database.ts';

export const BEGIN_READ = 'begin isolation level repeatable read read only';

/**
 * Several statements in one message. Returns the state of the database's history, which only a
 * write that must not happen during a recovery has to know.
 */
export async function beginTransaction(
  client: pg.PoolClient,
  begin: string,
  call: Call,
  marketplace: RowNumber,
): Promise<LineageStatus | undefined> {
  const isChecked = begin !== BEGIN_READ && call.worksDuringRecovery !== true;
  const status = isChecked ? ', lineage_status() as history' : '';
  const text = `${begin}; ${contextOf(call, marketplace)}${status}`;
  const results = (await client.query(text)) as unknown as pg.QueryResult<{
    history?: LineageStatus;
  }>[];
  const history = results.find(({ rows }) => rows[0]?.history)?.rows[0]?.history;
  assert(isChecked === (history !== undefined), 'the last statement reads it');
  return history;
}

/** The platform's routes work across marketplaces, as a role of their own. */
function contextOf({ actor, causationId, client }: Call, marketplace: RowNumber): string {
  assert(/^\d+$/.test(marketplace), 'a marketplace number is digits only: it enters the text');
  assert(/^\w*$/.test(causationId ?? ''), 'an id has letters and digits only, as above');
  const cause =
    causationId === undefined ? '' : `, set_config('app.causation_id', '${causationId}', true)`;
  const tenant = `select set_config('app.marketplace_id', '${marketplace}', true)${cause}${sourceOf(client)}`;
  return 'marketplace' in actor ? tenant : `set local role holdfast_operator; ${tenant}`;
}

/** The audit rows of this transaction have it by default. */
function sourceOf(client: Client | undefined): string {
  if (client === undefined) return '';
  const { address, userAgent } = client;
  return `, set_config('app.address', ${pg.escapeLiteral(address ?? '')}, true),
    set_config('app.user_agent', ${pg.escapeLiteral(userAgent ?? '')}, true)`;
}
