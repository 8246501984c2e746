//! Two-factor codes of operators in tests. The service accepts each code once, and those of the
//! half minutes before and after the current one too.
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeBase32 } from '@holdfast/kernel/base32';
import type { LocalOperator } from '../../apps/cli/src/local-operators.ts';
import { totpCode } from '../../apps/server/src/access/operators/totp.ts';

const HALF_MINUTE_MS = 30_000;
/** By secret, the half minute of the newest code that was returned for it. */
const newest = new Map<string, number>();

/** A code that was not used yet; waits when the next half minute's is used too. */
export async function freshCode({
  totpSecret,
}: Pick<LocalOperator, 'totpSecret'>): Promise<string> {
  const current = Math.floor(Date.now() / HALF_MINUTE_MS);
  const next = Math.max(current, (newest.get(totpSecret) ?? 0) + 1);
  newest.set(totpSecret, next);
  await sleep(Math.max(0, (next - 1) * HALF_MINUTE_MS - Date.now()));
  return totpCode(decodeBase32(totpSecret), next * HALF_MINUTE_MS);
}

/** The code before the current one, which stays for signing in. */
export function codeBefore(totpSecret: string): string {
  return totpCode(decodeBase32(totpSecret), Date.now() - HALF_MINUTE_MS);
}
