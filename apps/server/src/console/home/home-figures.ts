//! The figures of the console's first page: GET /insights/home.
import type { HomeView, ProviderHealthView } from '@holdfast/contract/records/insight-records';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import { CURRENCY_CODES, type Currency } from '@holdfast/kernel/currency';
import {
  findNewestReading,
  type SolvencyReading,
} from '../../assurance/solvency/solvency-reading.ts';
import { findPause, type PayoutsPause } from '../../payments/withdrawals/payouts-pause.ts';
import type { Call } from '../../platform/call.ts';
import { read, type Transactor, type Tx } from '../../platform/database/transact.ts';
import { shownTo } from '../../platform/mask.ts';
import { type Attention, listAttention } from './attention-rows.ts';
import {
  countDisputes,
  countOpenOrders,
  countOutcomes,
  findCountedSince,
  type MoneyOnItsWay,
  sumOpenWithdrawals,
} from './home-rows.ts';
import { type DaySums, findHead, listDays, sumBefore } from './insight-hour.ts';

export interface HeldDay {
  readonly day: string;
  readonly currency: Currency;
  readonly reserved: bigint;
  readonly escrow: bigint;
}

export interface Home {
  readonly takenAt: Instant;
  readonly days: number;
  readonly attention: readonly Attention[];
  readonly heldDays: readonly HeldDay[];
  readonly volume: readonly DaySums[];
  readonly disputed: number;
  readonly openOrders: HomeView['openOrders'];
  readonly onItsWay: readonly MoneyOnItsWay[];
  readonly providers: ProviderHealthView[];
  /** Null where every operation of the last day is counted. */
  readonly providersSince: Instant | null;
  readonly reading: SolvencyReading | undefined;
  readonly pause: PayoutsPause | undefined;
}

const DAYS = 30;
const DAY_MS = 86_400_000;
/** Many operators open the same page at once: within this time all get the same result. */
const CACHE_MS = 2000;
const CACHE_MAX = 500;

export class HomeFigures {
  readonly #app: Transactor;
  readonly #cached = new Map<string, { readonly at: Instant; readonly home: Promise<Home> }>();

  constructor(app: Transactor) {
    this.#app = app;
  }

  /** The next request computes the figures anew. */
  invalidate(): void {
    this.#cached.clear();
  }

  /**
   * Days as they come in a query; the schema has checked their bounds. The cached figures are
   * unmasked, as a key sees them: a provider's text about a person is masked for each operator.
   */
  async get(call: Call, query: { readonly days?: string } = {}): Promise<Home> {
    const home = await this.#cachedOrRead(call, Number(query.days ?? DAYS));
    return { ...home, attention: shownTo(call.actor, home.attention) };
  }

  #cachedOrRead(call: Call, days: number): Promise<Home> {
    const { actor } = call;
    const key = `${'marketplace' in actor ? actor.marketplace : ''} ${days}`;
    const now = this.#app.clock.now();
    const cached = this.#cached.get(key);
    if (cached !== undefined && now - cached.at < CACHE_MS) return cached.home;
    const home = read(this.#app, call, (tx) => readHome(tx, days));
    this.#cached.delete(key);
    if (this.#cached.size >= CACHE_MAX) this.#cached.clear();
    this.#cached.set(key, { at: now, home });
    // A failure is not cached for the next request.
    home.catch(() => this.#cached.delete(key));
    return home;
  }
}

async function readHome(tx: Tx, days: number): Promise<Home> {
  const today = tx.now - (tx.now % DAY_MS);
  const since = today - (days - 1) * DAY_MS;
  const head = await findHead(tx);
  const volume = await listDays(tx, since, head);
  return {
    takenAt: tx.now,
    days,
    attention: await listAttention(tx),
    heldDays: heldByDay(await sumBefore(tx, since, head), volume, since, days),
    volume,
    disputed: await countDisputes(tx, since),
    openOrders: await countOpenOrders(tx),
    onItsWay: await sumOpenWithdrawals(tx),
    providers: await countOutcomes(tx),
    providersSince: await findCountedSince(tx),
    reading: await findNewestReading(tx),
    pause: await findPause(tx),
  };
}

/** A currency in which nothing was ever held is left out. */
export function heldByDay(
  before: readonly Omit<HeldDay, 'day'>[],
  changes: readonly Pick<DaySums, 'day' | 'currency' | 'reserved' | 'escrow'>[],
  since: Instant,
  days: number,
): HeldDay[] {
  const dates = Array.from({ length: days }, (_, at) => dayText(since + at * DAY_MS));
  return CURRENCY_CODES.flatMap((currency) => {
    let { reserved, escrow } = before.find((each) => each.currency === currency) ?? NOTHING;
    const own = changes.filter((each) => each.currency === currency);
    const hasAny =
      reserved !== 0n ||
      escrow !== 0n ||
      own.some((each) => each.reserved !== 0n || each.escrow !== 0n);
    if (!hasAny) return [];
    return dates.map((day) => {
      for (const change of own.filter((each) => each.day === day)) {
        reserved += change.reserved;
        escrow += change.escrow;
      }
      return { day, currency, reserved, escrow };
    });
  });
}

const NOTHING = { reserved: 0n, escrow: 0n };

function dayText(moment: Instant): string {
  return instantText(moment).slice(0, 10);
}
