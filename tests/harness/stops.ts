//! Stops of a marketplace, and the pause of all payouts: set and lifted with the master key.
import { randomUUID } from 'node:crypto';
import { STOP_LEVELS } from '@holdfast/contract/enums';
import type { Post } from './api.ts';

export { STOP_LEVELS };
export type StopLevel = (typeof STOP_LEVELS)[number];

/** The error of a call that a stop of the level refuses. */
export const STOP_CODES: Readonly<Record<StopLevel, string>> = {
  PAYOUTS: 'PAYOUTS_PAUSED',
  MONEY: 'MARKETPLACE_FROZEN',
  SIGNING: 'MARKETPLACE_FROZEN',
};

export const STOP_REASON = 'the proof of stops';

/** May be repeated. Returns whether the stop has settled; if not, the service records it later. */
export async function stopMarketplace(
  post: Post,
  marketplaceId: string,
  level: StopLevel,
): Promise<boolean> {
  const body = { level, reason: STOP_REASON };
  return (await post(`/marketplaces/${marketplaceId}/stop`, body))['settledAt'] !== null;
}

export async function liftStop(post: Post, marketplaceId: string, level: StopLevel): Promise<void> {
  const body = { level, reason: STOP_REASON };
  await post(`/marketplaces/${marketplaceId}/stop/lift`, body, randomUUID());
}

/** Returns the reason of the pause that stands: an older pause remains as it is. */
export async function pausePayouts(post: Post): Promise<string> {
  const paused = await post('/payouts/pause', { reason: STOP_REASON }, randomUUID());
  return String(paused['pauseReason']);
}

export async function resumePayouts(post: Post): Promise<void> {
  await post('/solvency/resume-payouts', { reason: STOP_REASON }, randomUUID());
}
