//! Finds the payment provider's records that have none here: a part of the recovery. The provider
//! knows each by our id, so it repeats none; but the user's money may be here again.
import { withdrawalMachine } from '@holdfast/contract/machines/withdrawal-machine';
import type { UserId, WithdrawalId } from '@holdfast/kernel/ids';
import { minorText } from '@holdfast/kernel/money';
import { HOUSE } from '../../accounts/custody/house-wallet.ts';
import type { RowNumber } from '../../platform/database/database.ts';
import { transact } from '../../platform/database/transact.ts';
import { done, type Outcome } from '../../providers/outcome.ts';
import type {
  ListedPayment,
  PaymentPage,
  PaymentProvider,
} from '../../providers/payments/payment-provider.ts';
import type { PaymentKind } from '../comparison/compare-payments.ts';
import { findOwnPayments, type OwnedPayment } from '../comparison/own-payments.ts';
import { commitAgain } from './match-payout.ts';
import {
  freezeOwner,
  publicId,
  type RecoveryRun,
  recoveryCall,
  reportFinding,
} from './recovery-run.ts';

const PER_PAGE = 200;
/** Records by hand, or of other users of the same account, have another code or none. */
const OUR_CODE = { payin: /^topup_/, payout: /^wd_/ } as const;
const USER_ID = /usr_[0-9a-hjkmnp-tv-z]{20,32}/;
const NOTHING_MOVED: ReadonlySet<string> = new Set(['failed', 'canceled']);

/** Safe to repeat. Returns how many were found. */
export async function findPayments(
  run: RecoveryRun,
  payments: PaymentProvider,
): Promise<Outcome<number>> {
  let count = 0;
  for (const kind of ['payin', 'payout'] as const) {
    const listed = await listSince(run, payments, kind);
    if (listed.kind !== 'done') return listed;
    const codes = listed.value.map(({ code }) => code ?? '');
    const own = await findOwnPayments(run.app.pool, kind, codes);
    const unrecorded = listed.value.filter(({ code }) => !own.has(code ?? ''));
    for (const each of unrecorded) await report(run, kind, each);
    count += unrecorded.length;
    if (kind === 'payin') continue;
    for (const { code, status } of listed.value) {
      const found = own.get(code ?? '');
      if (found !== undefined && status !== 'created') await continuePayout(run, found);
    }
  }
  return done(count);
}

async function listSince(
  { since }: RecoveryRun,
  payments: PaymentProvider,
  kind: PaymentKind,
): Promise<Outcome<ListedPayment[]>> {
  const found: ListedPayment[] = [];
  let after: string | null = null;
  do {
    const page: Outcome<PaymentPage<ListedPayment>> = await listPage(payments, kind, after);
    if (page.kind !== 'done') return page;
    const { items, next }: PaymentPage<ListedPayment> = page.value;
    found.push(
      ...items.filter(
        ({ createdAt, code, status }) =>
          createdAt >= since && OUR_CODE[kind].test(code ?? '') && !NOTHING_MOVED.has(status),
      ),
    );
    after = items.some(({ createdAt }) => createdAt < since) ? null : next;
  } while (after !== null);
  return done(found);
}

function listPage(payments: PaymentProvider, kind: PaymentKind, after: string | null) {
  const query = { after, count: PER_PAGE };
  return kind === 'payin' ? payments.listPayins(query) : payments.listPayouts(query);
}

/** One whose commit was lost could be canceled here, although it is paid there. */
async function continuePayout({ app }: RecoveryRun, found: OwnedPayment): Promise<void> {
  if (found.status !== withdrawalMachine.initial) return;
  await transact(app, recoveryCall(found.marketplace), (tx) =>
    commitAgain(tx, found.id as WithdrawalId),
  );
}

async function report(run: RecoveryRun, kind: PaymentKind, record: ListedPayment): Promise<void> {
  const { id, code, vendorStatus, amountMinor, note } = record;
  const userId = (USER_ID.exec(note ?? '')?.[0] ?? null) as UserId | null;
  const marketplace = userId === null ? null : await marketplaceOf(run, userId);
  if (kind === 'payout' && userId !== null && marketplace !== null)
    await freezeOwner(run, marketplace, userId, `an unrecorded payout: ${code}`);
  const marketplaceId = marketplace === null ? null : await publicId(run, marketplace);
  await transact(run.app, recoveryCall(HOUSE), (tx) =>
    reportFinding(run, tx, {
      kind: kind === 'payout' ? 'UNRECORDED_PAYOUT' : 'UNRECORDED_PAYIN',
      reference: id,
      marketplaceId,
      userId,
      resourceId: code,
      amount: minorText(amountMinor),
      currency: 'USD',
      detail: `the payment provider has it as ${vendorStatus}: ${note ?? 'no note'}`,
    }),
  );
}

/** Null for a user who has no record here either. */
async function marketplaceOf({ app }: RecoveryRun, userId: UserId): Promise<RowNumber | null> {
  const { rows } = await app.pool.query<{ marketplace: RowNumber | null }>(
    'select work.marketplace_of_user($1) as marketplace',
    [userId],
  );
  return rows[0]?.marketplace ?? null;
}
