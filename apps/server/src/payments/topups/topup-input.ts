//! Validates a caller's top-up input, and reports everything that is wrong with it.
import { refuse } from '@holdfast/contract/errors';
import { BASE_CURRENCY } from '@holdfast/contract/limits';
import { type FieldError, invalidRequest } from '@holdfast/contract/validation';
import type { Instant } from '@holdfast/kernel/clock';
import type { Currency } from '@holdfast/kernel/currency';
import { newId, type UserId } from '@holdfast/kernel/ids';
import { Money } from '@holdfast/kernel/money';
import { checkLimits } from '../../accounts/books/amount-input.ts';
import type { Config } from '../../platform/config/config.ts';
import type { TopupTerms } from './topup.ts';

export interface TopupInput {
  readonly userId: UserId;
  readonly amount: string;
  readonly currency?: Currency;
  readonly description?: string | null;
  readonly returnUrl?: string;
  readonly cancelUrl?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

type Hosts = Pick<Config, 'HOLDFAST_RETURN_HOSTS' | 'NODE_ENV'>;

export function readTopupInput(config: Hosts, input: TopupInput, now: Instant): TopupTerms {
  const { currency = BASE_CURRENCY, metadata = {} } = input;
  const faults: FieldError[] = [];
  const amount = Money.read(input.amount, currency);
  if (amount === undefined)
    faults.push({
      field: 'amount',
      rule: 'format',
      message: 'amount must be a positive decimal string with at most two places',
    });
  const returnUrl = readReturnUrl(config, 'returnUrl', input.returnUrl, faults);
  const cancelUrl = readReturnUrl(config, 'cancelUrl', input.cancelUrl, faults);
  if (faults.length > 0 || amount === undefined) throw invalidRequest(faults);
  checkAmount(amount);
  const { userId, description = null } = input;
  const id = newId('topup', now);
  const requested = { id, userId, amount, currency, description, returnUrl, cancelUrl, metadata };
  return { ...requested, createdAt: now };
}

/** Payers are redirected only to hosts that are configured, because the provider holds the link. */
function readReturnUrl(
  { HOLDFAST_RETURN_HOSTS: hosts, NODE_ENV: environment }: Hosts,
  name: string,
  text: string | undefined,
  faults: FieldError[],
): string | null {
  if (text === undefined) return null;
  const url = URL.parse(text);
  const isLocal = url?.hostname === 'localhost' || url?.hostname === '127.0.0.1';
  const isOpenHere = environment === 'development' && isLocal;
  const add = (message: string) => faults.push({ field: name, rule: 'format', message });
  if (url === null || url.username !== '' || url.password !== '')
    add(`${name} must be a URL without credentials`);
  else if (url.protocol !== 'https:' && !isOpenHere) add(`${name} must use https`);
  else if (!hosts.some((host) => covers(host, url.hostname)))
    add(`${name} must have a host from HOLDFAST_RETURN_HOSTS`);
  return url === null ? null : url.href;
}

function covers(host: string, name: string): boolean {
  return host.startsWith('*.') ? name.endsWith(host.slice(1)) : name === host;
}

function checkAmount(amount: Money): void {
  const { currency } = amount;
  // The payment provider carries dollars, which back USD and USDC.
  if (currency === 'XLM') refuse('CURRENCY_NOT_SUPPORTED', { currency });
  checkLimits(amount, 'topup');
}
