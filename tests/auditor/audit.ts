//! Runs every invariant on one snapshot of the database; the client is inside a transaction.
import { hash } from 'node:crypto';
import type { ClientBase } from 'pg';
import type { ExternalState } from './external-state.ts';
import type { History } from './history.ts';
import type { Finding, Invariant, Row, Sql } from './invariant.ts';
import { acknowledged } from './invariants/acknowledged.ts';
import { auditTrail } from './invariants/audit-trail.ts';
import { balances } from './invariants/balances.ts';
import { canceledWithdrawals } from './invariants/canceled-withdrawals.ts';
import { conservation } from './invariants/conservation.ts';
import { effects } from './invariants/effects.ts';
import { entries } from './invariants/entries.ts';
import { inbox } from './invariants/inbox.ts';
import { lives } from './invariants/lives.ts';
import { orders } from './invariants/orders.ts';
import { payments } from './invariants/payments.ts';
import { positions } from './invariants/positions.ts';
import { providerNet } from './invariants/provider-net.ts';
import { refused } from './invariants/refused.ts';
import { relatedRecords } from './invariants/related-records.ts';
import { reservations } from './invariants/reservations.ts';
import { rest } from './invariants/rest.ts';
import { settlements } from './invariants/settlements.ts';
import { solvency } from './invariants/solvency.ts';
import { stops } from './invariants/stops.ts';
import { tenancy } from './invariants/tenancy.ts';
import { tieOut } from './invariants/tie-out.ts';
import { unconfirmed } from './invariants/unconfirmed.ts';
import type { Journal } from './journal.ts';

const INVARIANTS: readonly Invariant[] = [
  conservation,
  entries,
  balances,
  reservations,
  unconfirmed,
  orders,
  settlements,
  effects,
  payments,
  providerNet,
  lives,
  relatedRecords,
  positions,
  inbox,
  acknowledged,
  refused,
  auditTrail,
  rest,
  tieOut,
  canceledWithdrawals,
  stops,
  solvency,
  tenancy,
];

/** Every value stays the text that PostgreSQL sent. */
const RAW = { getTypeParser: () => (text: string) => text };

export interface Line extends Finding {
  readonly id: string;
}

export interface AuditOptions {
  readonly history?: History | undefined;
  /** Journal of providers and network, as of the moment of the snapshot. */
  readonly journal?: Journal | undefined;
  readonly external?: ExternalState | undefined;
  /** All faults are over and enough time has passed: nothing may be in flight. */
  readonly isConverged?: boolean | undefined;
  /** The ids of the invariants to check; all of them when absent. */
  readonly only?: readonly string[] | undefined;
  readonly onLine?: ((line: Line) => void) | undefined;
}

export async function audit(client: ClientBase, options: AuditOptions = {}): Promise<Line[]> {
  const { only = INVARIANTS.map(({ id }) => id), onLine } = options;
  const wanted = INVARIANTS.filter(({ id }) => only.includes(id));
  if (wanted.length < only.length) throw new Error(`not all of ${only.join()} are invariants`);
  const sql = await openSnapshot(client, options);
  const lines: Line[] = [];
  for (const invariant of wanted) {
    for (const finding of await invariant.check(sql)) {
      const line = { id: invariant.id, ...finding };
      lines.push(line);
      onLine?.(line);
    }
  }
  return lines;
}

async function openSnapshot(
  client: ClientBase,
  { history, journal, external, isConverged = false }: AuditOptions,
): Promise<Sql> {
  await readAsAuditor(client);
  // Each check reads whole tables: memory is faster than disk, and JIT costs more than it saves.
  await client.query(`set local work_mem = '256MB'`);
  await client.query('set local jit = off');
  const counts = new Map<string, number>();
  const rows = async (text: string, values: readonly unknown[] = []): Promise<Row[]> => {
    // A prepared statement is planned once per connection: on small tables planning takes longer
    // than the query itself.
    const query = { name: hash('sha1', text), text, values: [...values], types: RAW };
    return (await client.query<Row>(query)).rows;
  };
  return {
    rows,
    history,
    journal,
    external,
    isConverged,
    async count(table) {
      const known = counts.get(table);
      if (known !== undefined) return known;
      const [counted] = await rows(`select count(*) as total from ${table}`);
      const { total } = counted ?? {};
      counts.set(table, Number(total));
      return Number(total);
    },
  };
}

/** Row-level security hides rows silently, and a check on hidden rows always passes. */
async function readAsAuditor(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ sees_all: boolean; is_auditor: boolean }>(
    `select rolsuper or rolbypassrls as sees_all,
       exists (select from pg_roles where rolname = 'holdfast_auditor'
         and pg_has_role(current_user, oid, 'member')) as is_auditor
     from pg_roles where rolname = current_user`,
  );
  if (rows[0]?.sees_all) return;
  if (!rows[0]?.is_auditor)
    throw new Error('this role does not see every row: use holdfast_auditor');
  await client.query('set local role holdfast_auditor');
}
