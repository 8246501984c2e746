//! Reads the payment provider's lists page by page, and compares each record with ours.
import type { Clock, Instant } from '@holdfast/kernel/clock';
import type pg from 'pg';
import type { RowNumber } from '../../platform/database/database.ts';
import { done, type Outcome } from '../../providers/outcome.ts';
import type { ListedPayment, PaymentProvider } from '../../providers/payments/payment-provider.ts';
import {
  comparePayment,
  driftMinor,
  keyOf,
  type PaymentKind,
  type PaymentPair,
} from './compare-payments.ts';
import type { Finding } from './finding.ts';
import { findOwnPayments, findPosted, type OwnedPayment } from './own-payments.ts';

export interface PaymentPageDeps {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly payments: PaymentProvider;
}

/** One of the provider's records and the result of its comparison. */
export interface ComparedPayment {
  /** Null when no marketplace here has the record. */
  readonly owner: RowNumber | null;
  readonly code: string | null;
  readonly finding: Finding;
  readonly driftMinor: bigint;
}

export interface ComparedPage {
  readonly compared: readonly ComparedPayment[];
  readonly next: string | null;
}

const PER_PAGE = 200;
/** A younger change may still be in transit between the two sides. */
export const SETTLES_MS = 15 * 60_000;

/** The records created since `from`; a page that goes beyond is the last. */
export async function comparePage(
  app: PaymentPageDeps,
  kind: PaymentKind,
  { after, from }: { readonly after: string | null; readonly from: Instant },
): Promise<Outcome<ComparedPage>> {
  const query = { after, count: PER_PAGE };
  const page =
    kind === 'payin' ? await app.payments.listPayins(query) : await app.payments.listPayouts(query);
  if (page.kind !== 'done') return page;
  const theirs = page.value.items.filter(({ createdAt }) => createdAt >= from);
  const isBeyond = theirs.length < page.value.items.length;
  const compared = await compareAll(app, kind, theirs);
  return done({ compared, next: isBeyond ? null : page.value.next });
}

async function compareAll(
  app: PaymentPageDeps,
  kind: PaymentKind,
  theirs: readonly ListedPayment[],
): Promise<ComparedPayment[]> {
  const named = theirs.map((each) => (kind === 'payout' ? withdrawalNamedIn(each) : null));
  const codes = [...theirs.map(({ code }) => code), ...named].filter((each) => each !== null);
  const own = await findOwnPayments(app.pool, kind, [...new Set(codes)]);
  const pairs = theirs.map((each, at) => {
    const ours = each.code === null ? undefined : own.get(each.code);
    const doubled = ours === undefined ? own.get(named[at] ?? '') : undefined;
    return { theirs: each, ours, doubled };
  });
  const posted = await findPosted(
    app.pool,
    pairs.map((pair) => keyOf({ kind, ...pair })),
  );
  const settledBefore = app.clock.now() - SETTLES_MS;
  return pairs.map(({ theirs: each, ours, doubled }) => {
    const pair: PaymentPair = {
      kind,
      ours,
      theirs: each,
      resolvedMinor: posted.get(keyOf({ kind, ours, theirs: each })) ?? 0n,
      doubles: doubled?.id ?? null,
      settledBefore,
    };
    return comparedOf(pair, ours ?? doubled);
  });
}

export function comparedOf(pair: PaymentPair, owned: OwnedPayment | undefined): ComparedPayment {
  return {
    owner: owned?.marketplace ?? null,
    code: pair.theirs?.code ?? null,
    finding: comparePayment(pair),
    driftMinor: driftMinor(pair),
  };
}

/**
 * A second payout for a withdrawal has another code or none, and names the withdrawal in its note.
 */
function withdrawalNamedIn({ code, note }: ListedPayment): string | null {
  return /wd_[0-9a-hjkmnp-tv-z]{20,32}/.exec(`${code ?? ''} ${note ?? ''}`)?.[0] ?? null;
}
