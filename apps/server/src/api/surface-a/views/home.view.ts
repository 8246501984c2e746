//! Response view of the figures of the console's first page.
import type { HomeView } from '@holdfast/contract/records/insight-records';
import { instantText } from '@holdfast/kernel/clock';
import { minorText } from '@holdfast/kernel/money';
import type { Home } from '../../../console/home/home-figures.ts';

export function homeView(home: Home): HomeView {
  const { volume, reading, pause, providersSince } = home;
  const sum = (part: 'created' | 'funded' | 'released' | 'refunded') =>
    Math.max(
      0,
      volume.reduce((all, day) => all + day[part], 0),
    );
  return {
    takenAt: instantText(home.takenAt),
    days: home.days,
    attention: home.attention.map(({ kind, severity, count, oldestAt, items }) => ({
      kind,
      severity,
      count,
      oldestAt: instantText(oldestAt),
      items: items.map((item) => ({ ...item, since: instantText(item.since) })),
    })),
    held: home.heldDays.map(({ day, currency, reserved, escrow }) => ({
      day,
      currency,
      reserved: text(reserved),
      escrow: text(escrow),
    })),
    volume: volume.map((day) => ({
      day: day.day,
      currency: day.currency,
      created: { count: day.created, amount: text(day.createdAmount) },
      funded: { count: Math.max(0, day.funded), amount: text(day.fundedAmount) },
      released: { count: day.released, amount: text(day.releasedAmount) },
      refunded: { count: day.refunded, amount: text(day.refundedAmount) },
      fees: text(day.fees),
      paidIn: text(day.paidIn),
      paidOut: text(day.paidOut),
    })),
    funnel: {
      created: sum('created'),
      funded: sum('funded'),
      released: sum('released'),
      refunded: sum('refunded'),
      disputed: home.disputed,
    },
    openOrders: home.openOrders,
    withdrawalsInFlight: home.onItsWay.map(({ status, currency, count, amount, oldestAt }) => ({
      status,
      currency,
      count,
      amount: text(amount),
      oldestAt: instantText(oldestAt),
    })),
    providers: home.providers,
    providersSince: instantText(providersSince),
    solvency: {
      status: reading?.status ?? 'UNSETTLED',
      takenAt: reading === undefined ? null : instantText(reading.takenAt),
      payoutsPaused: pause !== undefined,
      pauseReason: pause?.reason ?? null,
    },
  };
}

/** A day with more refunded than funded shows zero. */
function text(minor: bigint): string {
  return minorText(minor < 0n ? 0n : minor);
}
