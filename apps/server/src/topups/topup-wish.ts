//! Reads what a caller wants a top-up to be, and says everything that is wrong with it.
import { refuse } from '@holdfast/contract/errors';
import { AMOUNT_LIMITS, BASE_CURRENCY } from '@holdfast/contract/limits';
import { assert } from '@holdfast/kernel/assert';
import type { Instant } from '@holdfast/kernel/clock';
import type { Currency } from '@holdfast/kernel/currency';
import { newId, type UserId } from '@holdfast/kernel/ids';
import { Money } from '@holdfast/kernel/money';
import type { Config } from '../config.ts';
import type { TopupTerms } from './topup.ts';

export interface TopupWish {
  readonly userId: UserId;
  readonly amount: string;
  readonly currency?: Currency;
  readonly description?: string | null;
  readonly returnUrl?: string;
  readonly cancelUrl?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

type Hosts = Pick<Config, 'HOLDFAST_RETURN_HOSTS' | 'NODE_ENV'>;

export function readTopupWish(config: Hosts, wish: TopupWish, now: Instant): TopupTerms {
  const { currency = BASE_CURRENCY, metadata = {} } = wish;
  const faults: string[] = [];
  const amount = Money.read(wish.amount, currency);
  if (amount === undefined)
    faults.push('amount must be a positive decimal string with at most two places');
  const returnUrl = readReturnUrl(config, 'returnUrl', wish.returnUrl, faults);
  const cancelUrl = readReturnUrl(config, 'cancelUrl', wish.cancelUrl, faults);
  if (faults.length > 0 || amount === undefined)
    return refuse('VALIDATION_ERROR', { validationErrors: faults });
  checkAmount(amount);
  const { userId, description = null } = wish;
  const id = newId('topup');
  const asked = { id, userId, amount, currency, description, returnUrl, cancelUrl, metadata };
  return { ...asked, createdAt: now };
}

/** A payer is sent to nobody who was not named before: the link is in the provider's hands. */
function readReturnUrl(
  { HOLDFAST_RETURN_HOSTS: hosts, NODE_ENV: environment }: Hosts,
  name: string,
  text: string | undefined,
  faults: string[],
): string | null {
  if (text === undefined) return null;
  const url = URL.parse(text);
  const isLocal = url?.hostname === 'localhost' || url?.hostname === '127.0.0.1';
  const isOpenHere = environment === 'development' && isLocal;
  if (url === null || url.username !== '' || url.password !== '') faults.push(`${name} is no URL`);
  else if (url.protocol !== 'https:' && !isOpenHere) faults.push(`${name} must use https`);
  else if (!hosts.some((host) => covers(host, url.hostname)))
    faults.push(`${name} must name a host of HOLDFAST_RETURN_HOSTS`);
  return url === null ? null : url.href;
}

function covers(host: string, name: string): boolean {
  return host.startsWith('*.') ? name.endsWith(host.slice(1)) : name === host;
}

function checkAmount(amount: Money): void {
  const { currency } = amount;
  // The payment provider carries dollars, which back both of the others.
  if (currency === 'XLM') refuse('CURRENCY_NOT_SUPPORTED', { currency });
  const minimum = Money.read(AMOUNT_LIMITS.topup.minimum, currency);
  const maximum = Money.read(AMOUNT_LIMITS.topup.maximum, currency);
  assert(minimum !== undefined && maximum !== undefined, 'the published limits are amounts');
  if (amount.isLessThan(minimum) || maximum.isLessThan(amount))
    refuse('AMOUNT_OUT_OF_RANGE', {
      requested: amount.text,
      minimum: minimum.text,
      maximum: maximum.text,
      currency,
    });
}
