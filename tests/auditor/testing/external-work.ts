//! Operations of the healthy world with their steps and envelopes, and the matching journal of
//! external effects.
import type { Client } from 'pg';
import type { JournalEntry } from '../journal.ts';
import { ACTOR, writeEnvelope, writeStep } from './rows.ts';

export interface ExternalWork {
  readonly id: string;
  readonly kind: string;
  /** An order, or the user whose address the mirror updates. */
  readonly of: string;
  /** The order's own unless named. */
  readonly contract?: string;
  /** A claimed step was sent and took effect; the service has not recorded that yet. */
  readonly steps: readonly (readonly [name: string, status: 'DONE' | 'REFUSED' | 'CLAIMED'])[];
  /** Done by default. */
  readonly status?: 'DONE' | 'REFUSED' | 'RUNNING';
}

const AMOUNT = '12';
const STATES = { DONE: 'APPLIED', REFUSED: 'FAILED', CLAIMED: 'OPEN' } as const;

// biome-ignore format: a table.
const EFFECTS: Readonly<Record<string, string>> = {
  deploy: 'escrow.deploy', fund: 'escrow.fund', complete: 'escrow.status', approve: 'escrow.approve',
  release: 'escrow.release', dispute: 'escrow.dispute', resolve: 'escrow.resolve',
  cover: 'ledger.payment',
};

export async function doExternalWork(
  client: Client,
  marketplace: string,
  all: readonly ExternalWork[],
): Promise<JournalEntry[]> {
  await client.query(
    `insert into wallet (marketplace_id, id, user_id, status, address, sealed_seed, wrapped_key,
       key_version, created_at, ready_at)
     values ($1, 'wal_ann', 'usr_ann', 'READY', 'GANN', '', '', 'v1', now(), now())`,
    [marketplace],
  );
  // A payment from a third party belongs to no step.
  const given = { effect: 'ledger.payment', txHash: 'given', from: 'GISSUER', to: 'GTREASURY' };
  const effects: Omit<JournalEntry, 'seq'>[] = [{ ...given, asset: 'USDC', amount: '1000' }];
  for (const work of all) {
    if (work.kind === 'mirror') {
      effects.push(await transfer(client, marketplace, work));
      continue;
    }
    await openOperation(client, marketplace, work);
    for (const step of work.steps)
      effects.push(...(await takeStep(client, marketplace, work, step)));
  }
  return effects.map((effect, at) => ({ seq: at + 1, ...effect }));
}

export async function openOperation(
  client: Client,
  marketplace: string,
  { id, kind, of, status = 'DONE' }: ExternalWork,
): Promise<void> {
  await client.query(
    `insert into operation (marketplace_id, id, kind, resource_type, resource_id, status, epoch,
       attempts, has_moved_money, plan, refusal_code, refusal_details, next_try_at, heartbeat_at,
       actor_id, correlation_id, created_at, updated_at)
     values ($1, $2, $3, 'Order', $4, $5, 1, 1, false, '{}', $6, $7, now(), now(), $8, $2, now(), now())`,
    [
      ...[marketplace, id, kind, of, status],
      ...(status === 'REFUSED' ? ['ESCROW_FUNDING_FAILED', '{}'] : [null, null]),
      ACTOR,
    ],
  );
  if (status === 'RUNNING')
    await client.query('insert into open_operation values ($1, $2, $3)', [marketplace, of, id]);
}

/** A batch of one transfer, without an operation. */
async function transfer(
  client: Client,
  marketplace: string,
  { id, of }: ExternalWork,
): Promise<Omit<JournalEntry, 'seq'>> {
  await client.query(
    `insert into mirror_batch (marketplace_id, id, status, next_try_at, created_at, ended_at)
     values ($1, $2, 'APPLIED', now(), now(), now())`,
    [marketplace, id],
  );
  await client.query(
    `insert into mirror_item (marketplace_id, batch_id, user_id, asset, address, stroops, status)
     values ($1, $2, $3, 'USDC', 'GANN', $4, 'APPLIED')`,
    [marketplace, id, of, `${AMOUNT}0000000`],
  );
  const txHash = await writeEnvelope(client, marketplace, `mirror:${id}`);
  const payment = { effect: 'ledger.payment', from: 'GTREASURY', to: 'GANN', asset: 'USDC' };
  return { ...payment, txHash, amount: AMOUNT };
}

async function takeStep(
  client: Client,
  marketplace: string,
  { id, kind, of, contract = `C${of}` }: ExternalWork,
  [name, status]: ExternalWork['steps'][number],
): Promise<Omit<JournalEntry, 'seq'>[]> {
  const purpose = `${kind}:${name}:${id}`;
  const effect = EFFECTS[name.replace(/-\d+$/, '')];
  const isCover = name.startsWith('cover-');
  if (!isCover) await writeStep(client, marketplace, id, [name, status, purpose]);
  if (effect === undefined) return [];
  const txHash = await writeEnvelope(client, marketplace, purpose, STATES[status]);
  if (status === 'REFUSED') return [];
  if (effect === 'ledger.payment') {
    await client.query('insert into treasury_draw values ($1, $2, $3, $4)', [
      ...[marketplace, purpose, 'USDC', `${AMOUNT}0000000`],
    ]);
    return [{ effect, txHash, from: 'GTREASURY', to: 'GANN', asset: 'USDC', amount: AMOUNT }];
  }
  const part = /-(\d+)$/.exec(name)?.[1];
  const index = part === undefined ? {} : { milestoneIndex: Number(part) - 1 };
  return [{ effect, txHash, orderId: of, contractId: contract, amount: AMOUNT, ...index }];
}
