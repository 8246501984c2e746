//! The payment provider over HTTP (Airtm Enterprise V2). No call of it is repeatable by itself, so
//! each one that changes something ends with a look at the record that it was about.
import { assert } from '@holdfast/kernel/assert';
import { exactNumber } from './exact-number.ts';
import { Exchange, type ExchangeSettings, type Sending } from './exchange.ts';
import { done, foundLater, type Outcome, refused, unknown } from './outcome.ts';
import { type Judged, judgePayment } from './payment-answers.ts';
import { readListedPayin, readListedPayout, readPaymentPage } from './payment-listing.ts';
import type {
  NewPayin,
  NewPayout,
  Payin,
  PaymentPageQuery,
  PaymentProvider,
  Payout,
  PayoutRecipient,
} from './payment-provider.ts';
import {
  CENT_PLACES,
  isSameRecipient,
  readPayin,
  readPaymentAccount,
  readPaymentBalance,
  readPayout,
} from './payment-record.ts';

export interface PaymentProviderSettings extends Omit<ExchangeSettings, 'name' | 'headers'> {
  readonly apiKey: string;
  readonly secretKey: string;
  /** The page on which a payer pays, with `{id}` where the payin's id goes. */
  readonly checkoutUrlTemplate: string;
  /** The vendor itself pays to its own users only. */
  readonly hasBankPayouts: boolean;
  readonly timeoutMs: number;
}

export function httpPaymentProvider(settings: PaymentProviderSettings): PaymentProvider {
  assert(settings.checkoutUrlTemplate.includes('{id}'), 'the checkout page takes an id');
  return new HttpPaymentProvider(settings);
}

class HttpPaymentProvider implements PaymentProvider {
  readonly hasBankPayouts: boolean;
  readonly #settings: PaymentProviderSettings;
  readonly #exchange: Exchange;

  constructor(settings: PaymentProviderSettings) {
    const { apiKey, secretKey } = settings;
    const credentials = Buffer.from(`${apiKey}:${secretKey}`).toString('base64');
    this.hasBankPayouts = settings.hasBankPayouts;
    this.#settings = settings;
    this.#exchange = new Exchange({
      ...settings,
      name: 'payment provider',
      headers: { authorization: `Basic ${credentials}` },
    });
  }

  async findAccount(email: string) {
    const judged = await this.#get(`/users/${encodeURIComponent(email)}`);
    if (judged.kind === 'absent') return refused('not-found', 'nobody has this address');
    if (judged.kind === 'no') return refused(judged.code, judged.reason);
    const found = judged.kind === 'good' ? readPaymentAccount(judged.json, email) : undefined;
    return found === undefined ? unclear(judged) : done(found);
  }

  async balance() {
    const judged = await this.#get('/me/balance');
    const balance = judged.kind === 'good' ? readPaymentBalance(judged.json) : undefined;
    return balance === undefined ? unclear(judged) : done(balance);
  }

  async createPayin(payin: NewPayin): Promise<Outcome<Payin>> {
    const { code, amountMinor, description, returnUrl, cancelUrl } = payin;
    const amount = exactNumber(amountMinor, CENT_PLACES);
    if (amount === undefined) return refused('amount-out-of-range', 'no number carries it exactly');
    const judged = await this.#post('/payins', {
      code,
      amount,
      description,
      items: [{ description, amount, quantity: 1 }],
      confirmationUri: returnUrl,
      cancelUri: cancelUrl,
    });
    const isOurs = (found: Payin) => found.code === code && found.amountMinor === amountMinor;
    const made = judged.kind === 'good' ? this.#readPayin(judged.json) : undefined;
    return adopt(judged, made, () => this.findPayin(code), isOurs);
  }

  async createPayout(payout: NewPayout): Promise<Outcome<Payout>> {
    const { code, recipient, amountMinor, note } = payout;
    const amount = exactNumber(amountMinor, CENT_PLACES);
    if (amount === undefined) return refused('amount-out-of-range', 'no number carries it exactly');
    if ('bankRef' in recipient && !this.hasBankPayouts) {
      return refused('destination-not-supported', 'the provider pays to its own users only');
    }
    // Never committed here: what is created is written down before money moves.
    const body = { ...recipientFields(recipient), amount, notes: note, code, commit: false };
    const judged = await this.#post('/payouts', body);
    const isOurs = (found: Payout) =>
      found.code === code &&
      found.amountMinor === amountMinor &&
      isSameRecipient(found.recipient, recipient);
    const made = judged.kind === 'good' ? this.#readPayout(judged.json) : undefined;
    return adopt(judged, made, () => this.findPayout(code), isOurs);
  }

  async commitPayout(id: string): Promise<Outcome<Payout>> {
    const judged = await this.#post(`/payouts/${encodeURIComponent(id)}/commit`, undefined);
    const found = await this.#payoutById(id);
    // Whatever was answered, a payout that left its first state was committed, and only once.
    if (found.kind === 'done' && found.value !== null && found.value.status !== 'created') {
      const isSure = judged.kind === 'good' || judged.kind === 'closed';
      return found.value.status === 'unrecognised' && !isSure
        ? unknown(`its status is ${found.value.vendorStatus}`)
        : inTime(judged, found.value);
    }
    return undone(judged, found);
  }

  async cancelPayin(id: string): Promise<Outcome<Payin>> {
    const path = `/payins/${encodeURIComponent(id)}`;
    const judged = await this.#send({ method: 'DELETE', path });
    return canceled(judged, await this.#payinById(id));
  }

  async cancelPayout(id: string): Promise<Outcome<Payout>> {
    const path = `/payouts/${encodeURIComponent(id)}`;
    const judged = await this.#send({ method: 'DELETE', path });
    return canceled(judged, await this.#payoutById(id));
  }

  async findPayin(code: string): Promise<Outcome<Payin | null>> {
    const judged = await this.#get(`/payins/by-code/${encodeURIComponent(code)}`);
    return readOrNull(judged, (json) => this.#readPayin(json));
  }

  async findPayout(code: string): Promise<Outcome<Payout | null>> {
    const judged = await this.#get(`/payouts/by-code/${encodeURIComponent(code)}`);
    return readOrNull(judged, (json) => this.#readPayout(json));
  }

  async listPayins({ after, count }: PaymentPageQuery) {
    const judged = await this.#get(listPath('/payins', after, count));
    const page =
      judged.kind === 'good' ? readPaymentPage(judged.json, count, readListedPayin) : undefined;
    return page === undefined ? unclear(judged) : done(page);
  }

  async listPayouts({ after, count }: PaymentPageQuery) {
    const judged = await this.#get(listPath('/payouts', after, count));
    const page =
      judged.kind === 'good' ? readPaymentPage(judged.json, count, readListedPayout) : undefined;
    return page === undefined ? unclear(judged) : done(page);
  }

  async #payinById(id: string): Promise<Outcome<Payin | null>> {
    const judged = await this.#get(`/payins/${encodeURIComponent(id)}`);
    return readOrNull(judged, (json) => this.#readPayin(json));
  }

  async #payoutById(id: string): Promise<Outcome<Payout | null>> {
    const judged = await this.#get(`/payouts/${encodeURIComponent(id)}`);
    return readOrNull(judged, (json) => this.#readPayout(json));
  }

  #readPayin(json: unknown): Payin | undefined {
    const { checkoutUrlTemplate } = this.#settings;
    const payin = readPayin(json, (id) =>
      checkoutUrlTemplate.replace('{id}', encodeURIComponent(id)),
    );
    this.#alertUnrecognised(payin);
    return payin;
  }

  #readPayout(json: unknown): Payout | undefined {
    const payout = readPayout(json);
    this.#alertUnrecognised(payout);
    return payout;
  }

  #alertUnrecognised(record: Payin | Payout | undefined): void {
    if (record?.status !== 'unrecognised') return;
    const { code, vendorStatus } = record;
    this.#settings.log.warn({ paymentCode: code, vendorStatus }, 'meet unrecognised status');
  }

  #get(path: string): Promise<Judged> {
    return this.#send({ method: 'GET', path });
  }

  #post(path: string, body: object | undefined): Promise<Judged> {
    return this.#send({ method: 'POST', path, ...(body && { body }) });
  }

  async #send(sending: Omit<Sending, 'timeoutMs'>): Promise<Judged> {
    const { timeoutMs } = this.#settings;
    return judgePayment(await this.#exchange.send({ ...sending, timeoutMs }));
  }
}

/**
 * What became of a creation. An earlier call may have made the record and lost its answer, so a
 * refusal counts only when the look-up shows that there is none.
 */
async function adopt<T>(
  judged: Judged,
  made: T | undefined,
  find: () => Promise<Outcome<T | null>>,
  isOurs: (record: T) => boolean,
): Promise<Outcome<T>> {
  const found = made === undefined ? await find() : done(made);
  if (found.kind !== 'done') return unknown(`${reasonOf(judged)}; then ${found.reason}`);
  if (found.value !== null) {
    return isOurs(found.value)
      ? inTime(judged, found.value)
      : refused('code-conflict', 'the code stands for another amount or recipient');
  }
  const isRefused = judged.kind === 'no' || judged.kind === 'absent' || judged.kind === 'closed';
  return isRefused ? refused(judged.code, judged.reason) : unknown(reasonOf(judged));
}

function inTime<T>(judged: Judged, record: T): Outcome<T> {
  return judged.kind === 'unclear' ? foundLater(record) : done(record);
}

/** A change that the record does not show: refused only when the provider said so. */
function undone<T>(judged: Judged, found: Outcome<T | null>): Outcome<T> {
  if (found.kind !== 'done') return unknown(`${reasonOf(judged)}; then ${found.reason}`);
  if (found.value === null) return refused('not-found', 'there is no such record');
  return judged.kind === 'no' || judged.kind === 'absent'
    ? refused(judged.code, judged.reason)
    : unknown(reasonOf(judged));
}

function canceled<T extends Payin | Payout>(judged: Judged, found: Outcome<T | null>): Outcome<T> {
  if (found.kind !== 'done' || found.value === null) return undone(judged, found);
  if (found.value.status === 'canceled') return done(found.value);
  if (judged.kind === 'closed') return refused(judged.code, judged.reason);
  return undone(judged, found);
}

/** Null when the provider definitely has none. */
function readOrNull<T>(judged: Judged, read: (json: unknown) => T | undefined): Outcome<T | null> {
  if (judged.kind === 'absent') return done(null);
  const record = judged.kind === 'good' ? read(judged.json) : undefined;
  return record === undefined ? unclear(judged) : done(record);
}

function unclear(judged: Judged): Outcome<never> {
  return unknown(reasonOf(judged));
}

function reasonOf(judged: Judged): string {
  return judged.kind === 'good' ? 'the answer cannot be read' : judged.reason;
}

function listPath(path: string, after: string | null, count: number): string {
  const query = new URLSearchParams({ perPage: String(count), ...(after && { after }) });
  return `${path}?${query.toString()}`;
}

function recipientFields(recipient: PayoutRecipient): object {
  return 'email' in recipient
    ? { airtmUserEmail: recipient.email }
    : { bankAccount: { ref: recipient.bankRef } };
}
