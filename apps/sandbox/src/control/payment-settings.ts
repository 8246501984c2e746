//! Settings of the payment provider, GET and POST /control/payment: its balance, its
//! delays and its fee.
import { balanceOf } from '../payment/balance.ts';
import { centsText, readCents } from '../payment/cents.ts';
import { type PaymentSettings, settingsOf } from '../payment/due.ts';
import type { Exchange } from '../router.ts';
import type { World } from '../world.ts';
import { decimalOf, type Input, numberOf, readInput } from './input.ts';

const DELAY_SECONDS_MAX = 90 * 86_400;

export function readPaymentSettings({ store }: World): object {
  const { payinDelayMs, payoutDelayMs, payinFeeBasisPoints, payinFeeFixed } = settingsOf(store);
  const { available, pending } = balanceOf(store);
  return {
    balance: centsText(available),
    pending: centsText(pending),
    payinDelaySeconds: payinDelayMs === null ? null : payinDelayMs / 1000,
    payoutDelaySeconds: payoutDelayMs === null ? null : payoutDelayMs / 1000,
    payinFeePercent: centsText(payinFeeBasisPoints),
    payinFeeFixed: centsText(payinFeeFixed),
  };
}

/** A delay of null: nothing moves on by itself, only control moves it. */
export function writePaymentSettings(world: World, exchange: Exchange): object {
  const { store } = world;
  const input = readInput(exchange, [
    'balance',
    'payinDelaySeconds',
    'payoutDelaySeconds',
    'payinFeePercent',
    'payinFeeFixed',
  ]);
  const before = settingsOf(store);
  const settings: PaymentSettings = {
    payinDelayMs: delayOf(input, 'payinDelaySeconds', before.payinDelayMs),
    payoutDelayMs: delayOf(input, 'payoutDelaySeconds', before.payoutDelayMs),
    // Two decimals of a percent are hundredths of it, as two decimals of a dollar are cents.
    payinFeeBasisPoints: hundredthsOf(input, 'payinFeePercent') ?? before.payinFeeBasisPoints,
    payinFeeFixed: hundredthsOf(input, 'payinFeeFixed') ?? before.payinFeeFixed,
  };
  const available = hundredthsOf(input, 'balance');
  store.commit([
    ['settings', 'payment', settings],
    ...(available === undefined
      ? []
      : [['payment-balance', 'enterprise', { ...balanceOf(store), available }] as const]),
  ]);
  return readPaymentSettings(world);
}

function hundredthsOf(input: Input, name: string): bigint | undefined {
  return input[name] === undefined ? undefined : readCents(decimalOf(input, name, 2));
}

function delayOf(input: Input, name: string, before: number | null): number | null {
  const given = input[name];
  if (given === undefined) return before;
  return given === null ? null : numberOf(input, name, DELAY_SECONDS_MAX) * 1000;
}
