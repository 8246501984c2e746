//! Lifts a stop of a marketplace: POST /marketplaces/{id}/stop/lift. Work that the stop held back
//! continues by itself.
import { refuse } from '@holdfast/contract/errors';
import { type Instant, instantText, readInstant } from '@holdfast/kernel/clock';
import type { MarketplaceId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { emit } from '../../platform/database/outbox.ts';
import { type Transactor, type Tx, transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { findMarketplace } from '../keys/api-key.ts';
import { refuseMasterKey } from '../operators/refuse-master-key.ts';
import {
  findStandingStop,
  liftStopRow,
  type MarketplaceStop,
  type StopInput,
} from './marketplace-stop.ts';

export interface LiftInput extends StopInput {
  /** When the stop was set that is meant: a later one of the same level is not lifted. */
  readonly stoppedAt?: string;
}

export async function liftStop(
  app: Transactor,
  call: Call,
  marketplaceId: MarketplaceId,
  input: LiftInput,
): Promise<MarketplaceStop> {
  return transact(
    app,
    call,
    async (tx) => {
      await refuseMasterKey(tx);
      const stop = await findStopToLift(tx, marketplaceId, input);
      const { marketplace, level } = stop;
      const { reason } = input;
      if (!(await liftStopRow(tx, stop, reason))) refuseLifted(level);
      const liftedAt = instantText(tx.now);
      const lifted = { marketplaceId, level, reason, liftedBy: tx.actor.id, liftedAt };
      await emit(tx, 'marketplace.stop_lifted', marketplaceId, lifted, { marketplace });
      await audit(tx, {
        action: 'MARKETPLACE_UNFROZEN',
        resourceId: marketplaceId,
        marketplace,
        before: { level, reason: stop.reason, stoppedBy: stop.stoppedBy },
        reason,
      });
      return { ...stop, liftedBy: tx.actor.id, liftReason: reason, liftedAt: tx.now };
    },
    'read committed',
  );
}

/** Refuses what can not be lifted now. */
export async function findStopToLift(
  tx: Tx,
  marketplaceId: MarketplaceId,
  { level, stoppedAt }: Omit<LiftInput, 'reason'>,
): Promise<MarketplaceStop> {
  const found =
    (await findMarketplace(tx, marketplaceId)) ??
    refuse('MARKETPLACE_NOT_FOUND', { marketplaceId });
  const stop = (await findStandingStop(tx, found.number, level)) ?? refuseLifted(level);
  if (stoppedAt !== undefined && readInstant(stoppedAt) !== stop.stoppedAt)
    refuseReplaced(level, stop.stoppedAt);
  return stop;
}

function refuseReplaced(level: StopInput['level'], stoppedAt: Instant): never {
  const since = instantText(stoppedAt);
  return refuse(
    'INVALID_STATE',
    { resource: 'Marketplace', state: 'STOPPED', reason: `another stop stands since ${since}` },
    `The stop of the level ${level} is another one, which was set at ${since}.`,
  );
}

function refuseLifted(level: StopInput['level']): never {
  return refuse(
    'INVALID_STATE',
    { resource: 'Marketplace', state: 'RUNNING', reason: `no stop of the level ${level} stands` },
    `No stop of the level ${level} stands.`,
  );
}
