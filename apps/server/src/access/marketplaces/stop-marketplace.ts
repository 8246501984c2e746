//! Stops a marketplace at a level: POST /marketplaces/{id}/stop. One person is enough, and a second
//! call of the same level returns the stop that stands.
import { setTimeout as sleep } from 'node:timers/promises';
import { refuse } from '@holdfast/contract/errors';
import { assert } from '@holdfast/kernel/assert';
import { instantText } from '@holdfast/kernel/clock';
import type { MarketplaceId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { emit } from '../../platform/database/outbox.ts';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import {
  replaceResponse,
  type Transactor,
  type Tx,
  transact,
} from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { findMarketplace, type Marketplace } from '../keys/api-key.ts';
import {
  findStandingStop,
  insertStop,
  type MarketplaceStop,
  type StopInput,
} from './marketplace-stop.ts';
import { settleStop } from './settle-stops.ts';

/** Longer than any request takes; what lasts longer is awaited by the job. */
const SETTLE_MS_MAX = 5000;
const SETTLE_POLL_MS = 10;

/** The marketplace of the caller's transaction, and in that transaction. */
export async function stopOwnMarketplace(tx: Tx, input: StopInput): Promise<void> {
  const { marketplace: number } = tx;
  const [row] = await tx.query<Row<'marketplace', 'public_id', { public_id: MarketplaceId }>>(sql`
    select public_id from marketplace where id = ${number}`);
  assert(row !== undefined, 'a transaction belongs to a marketplace');
  await placeStop(tx, { id: row.public_id, number }, input);
}

/** A stop of this level that stands already stays as it is. */
async function placeStop(
  tx: Tx,
  { id: marketplaceId, number: marketplace }: Pick<Marketplace, 'id' | 'number'>,
  input: StopInput,
): Promise<void> {
  if (!(await insertStop(tx, marketplace, input))) return;
  const { level, reason } = input;
  const stoppedAt = instantText(tx.now);
  const stopped = { marketplaceId, level, reason, stoppedBy: tx.actor.id, stoppedAt };
  await emit(tx, 'marketplace.stopped', marketplaceId, stopped, { marketplace });
  await audit(tx, {
    action: 'MARKETPLACE_FROZEN',
    resourceId: marketplaceId,
    marketplace,
    after: { level },
    reason,
  });
}

export async function stopMarketplace(
  app: Transactor,
  call: Call,
  marketplaceId: MarketplaceId,
  input: StopInput,
): Promise<MarketplaceStop> {
  // Read committed: the key of the standing stops decides, and no writer can make a stop collide.
  const stop = await transact(
    app,
    call,
    async (tx) => {
      const found =
        (await findMarketplace(tx, marketplaceId)) ??
        refuse('MARKETPLACE_NOT_FOUND', { marketplaceId });
      // One that stood may be lifted before it is read; then this call sets its own.
      for (;;) {
        await placeStop(tx, found, input);
        const standing = await findStandingStop(tx, found.number, input.level);
        if (standing !== undefined) return standing;
      }
    },
    'read committed',
  );
  const settledAt = stop.settledAt ?? (await settledWithin(app, stop));
  const settled = { ...stop, settledAt };
  if (settledAt !== stop.settledAt && call.idempotency !== undefined)
    await replaceResponse(app, call, call.idempotency.render(settled));
  return settled;
}

async function settledWithin(app: Transactor, stop: MarketplaceStop): Promise<number | null> {
  const deadline = performance.now() + SETTLE_MS_MAX;
  for (;;) {
    const settledAt = await settleStop(app, stop.marketplace, stop.number);
    if (settledAt !== null || performance.now() > deadline) return settledAt;
    await sleep(SETTLE_POLL_MS);
  }
}
