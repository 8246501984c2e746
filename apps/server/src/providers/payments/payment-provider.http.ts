//! The payment provider over HTTP (Airtm Enterprise V2). None of its calls is idempotent, so each
//! one that changes something ends by reading its record.
import { assert } from '@holdfast/kernel/assert';
import { exactNumber } from '../exact-number.ts';
import { done, foundLater, type Outcome, refused, unknown } from '../outcome.ts';
import { ProviderHttp, type ProviderHttpSettings, type ProviderRequest } from '../provider-http.ts';
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
import { type ProviderReply, readPaymentReply } from './payment-replies.ts';

export interface PaymentProviderSettings extends Omit<ProviderHttpSettings, 'name' | 'headers'> {
  readonly apiKey: string;
  readonly secretKey: string;
  /** The page on which a payer pays, with `{id}` where the payin's id goes. */
  readonly checkoutUrlTemplate: string;
  /** The vendor itself pays only to its own users. */
  readonly hasBankPayouts: boolean;
  readonly timeoutMs: number;
  /** The vendor's statuses, in capitals, of a pay-in that the payer's bank has taken back. */
  readonly reversedStatuses: readonly string[];
}

export function httpPaymentProvider(settings: PaymentProviderSettings): PaymentProvider {
  assert(settings.checkoutUrlTemplate.includes('{id}'), 'the checkout page takes an id');
  return new HttpPaymentProvider(settings);
}

class HttpPaymentProvider implements PaymentProvider {
  readonly hasBankPayouts: boolean;
  readonly #settings: PaymentProviderSettings;
  readonly #http: ProviderHttp;

  constructor(settings: PaymentProviderSettings) {
    const { apiKey, secretKey } = settings;
    const credentials = Buffer.from(`${apiKey}:${secretKey}`).toString('base64');
    this.hasBankPayouts = settings.hasBankPayouts;
    this.#settings = settings;
    this.#http = new ProviderHttp({
      ...settings,
      name: 'payment provider',
      headers: { authorization: `Basic ${credentials}` },
    });
  }

  async findAccount(email: string) {
    const reply = await this.#get(`/users/${encodeURIComponent(email)}`);
    if (reply.kind === 'absent') return refused('not-found', 'no account has this address');
    if (reply.kind === 'no') return refused(reply.code, reply.reason);
    const found = reply.kind === 'good' ? readPaymentAccount(reply.json, email) : undefined;
    return found === undefined ? unclear(reply) : done(found);
  }

  async balance() {
    const reply = await this.#get('/me/balance');
    const balance = reply.kind === 'good' ? readPaymentBalance(reply.json) : undefined;
    return balance === undefined ? unclear(reply) : done(balance);
  }

  async createPayin(payin: NewPayin): Promise<Outcome<Payin>> {
    const { code, amountMinor, description, returnUrl, cancelUrl } = payin;
    const amount = exactNumber(amountMinor, CENT_PLACES);
    if (amount === undefined)
      return refused('amount-out-of-range', 'the amount cannot be sent exactly as a JSON number');
    const reply = await this.#post('/payins', {
      code,
      amount,
      description,
      items: [{ description, amount, quantity: 1 }],
      confirmationUri: returnUrl,
      cancelUri: cancelUrl,
    });
    const isOurs = (found: Payin) => found.code === code && found.amountMinor === amountMinor;
    const created = reply.kind === 'good' ? this.#readPayin(reply.json) : undefined;
    return adopt(reply, created, () => this.findPayin(code), isOurs);
  }

  async createPayout(payout: NewPayout): Promise<Outcome<Payout>> {
    const { code, recipient, amountMinor, note } = payout;
    const amount = exactNumber(amountMinor, CENT_PLACES);
    if (amount === undefined)
      return refused('amount-out-of-range', 'the amount cannot be sent exactly as a JSON number');
    if ('bankRef' in recipient && !this.hasBankPayouts) {
      return refused('destination-not-supported', 'the provider pays to its own users only');
    }
    // Never committed here: the created payout is stored before money moves.
    const body = { ...recipientFields(recipient), amount, notes: note, code, commit: false };
    const reply = await this.#post('/payouts', body);
    const isOurs = (found: Payout) =>
      found.code === code &&
      found.amountMinor === amountMinor &&
      isSameRecipient(found.recipient, recipient);
    const created = reply.kind === 'good' ? this.#readPayout(reply.json) : undefined;
    return adopt(reply, created, () => this.findPayout(code), isOurs);
  }

  async commitPayout(id: string): Promise<Outcome<Payout>> {
    const reply = await this.#post(`/payouts/${encodeURIComponent(id)}/commit`, undefined);
    const found = await this.#payoutById(id);
    // Under any reply, a payout that left its first state was committed, and only once.
    if (found.kind === 'done' && found.value !== null && found.value.status !== 'created') {
      const isSure = reply.kind === 'good' || reply.kind === 'closed';
      return found.value.status === 'unrecognised' && !isSure
        ? unknown(`its status is ${found.value.vendorStatus}`)
        : inTime(reply, found.value);
    }
    return undone(reply, found);
  }

  async cancelPayin(id: string): Promise<Outcome<Payin>> {
    const path = `/payins/${encodeURIComponent(id)}`;
    const reply = await this.#send({ method: 'DELETE', path });
    return canceled(reply, await this.#payinById(id));
  }

  async cancelPayout(id: string): Promise<Outcome<Payout>> {
    const path = `/payouts/${encodeURIComponent(id)}`;
    const reply = await this.#send({ method: 'DELETE', path });
    return canceled(reply, await this.#payoutById(id));
  }

  async findPayin(code: string): Promise<Outcome<Payin | null>> {
    const reply = await this.#get(`/payins/by-code/${encodeURIComponent(code)}`);
    return readOrNull(reply, (json) => this.#readPayin(json));
  }

  async findPayout(code: string): Promise<Outcome<Payout | null>> {
    const reply = await this.#get(`/payouts/by-code/${encodeURIComponent(code)}`);
    return readOrNull(reply, (json) => this.#readPayout(json));
  }

  async listPayins({ after, count }: PaymentPageQuery) {
    const reply = await this.#get(listPath('/payins', after, count));
    const page =
      reply.kind === 'good'
        ? readPaymentPage(reply.json, count, (fields) =>
            readListedPayin(fields, this.#settings.reversedStatuses),
          )
        : undefined;
    return page === undefined ? unclear(reply) : done(page);
  }

  async listPayouts({ after, count }: PaymentPageQuery) {
    const reply = await this.#get(listPath('/payouts', after, count));
    const page =
      reply.kind === 'good' ? readPaymentPage(reply.json, count, readListedPayout) : undefined;
    return page === undefined ? unclear(reply) : done(page);
  }

  async #payinById(id: string): Promise<Outcome<Payin | null>> {
    const reply = await this.#get(`/payins/${encodeURIComponent(id)}`);
    return readOrNull(reply, (json) => this.#readPayin(json));
  }

  async #payoutById(id: string): Promise<Outcome<Payout | null>> {
    const reply = await this.#get(`/payouts/${encodeURIComponent(id)}`);
    return readOrNull(reply, (json) => this.#readPayout(json));
  }

  #readPayin(json: unknown): Payin | undefined {
    const { checkoutUrlTemplate, reversedStatuses } = this.#settings;
    const checkoutUrlOf = (id: string) =>
      checkoutUrlTemplate.replace('{id}', encodeURIComponent(id));
    const payin = readPayin(json, { checkoutUrlOf, reversedStatuses });
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
    this.#settings.log.warn({ paymentCode: code, vendorStatus }, 'payment status not recognised');
  }

  #get(path: string): Promise<ProviderReply> {
    return this.#send({ method: 'GET', path });
  }

  #post(path: string, body: object | undefined): Promise<ProviderReply> {
    return this.#send({ method: 'POST', path, ...(body && { body }) });
  }

  async #send(sending: Omit<ProviderRequest, 'timeoutMs'>): Promise<ProviderReply> {
    const { timeoutMs } = this.#settings;
    return readPaymentReply(await this.#http.send({ ...sending, timeoutMs }));
  }
}

/**
 * The outcome of a creation. An earlier call may have created the record and lost its reply, so a
 * refusal counts only when a search finds none.
 */
async function adopt<T>(
  reply: ProviderReply,
  created: T | undefined,
  find: () => Promise<Outcome<T | null>>,
  isOurs: (record: T) => boolean,
): Promise<Outcome<T>> {
  const found = created === undefined ? await find() : done(created);
  if (found.kind !== 'done') return unknown(`${reasonOf(reply)}; then ${found.reason}`);
  if (found.value !== null) {
    return isOurs(found.value)
      ? inTime(reply, found.value)
      : refused('code-conflict', 'the code stands for another amount or recipient');
  }
  const isRefused = reply.kind === 'no' || reply.kind === 'absent' || reply.kind === 'closed';
  return isRefused ? refused(reply.code, reply.reason) : unknown(reasonOf(reply));
}

function inTime<T>(reply: ProviderReply, record: T): Outcome<T> {
  return reply.kind === 'unclear' ? foundLater(record) : done(record);
}

/** A change that the record does not show: refused only when the provider refused it. */
function undone<T>(reply: ProviderReply, found: Outcome<T | null>): Outcome<T> {
  if (found.kind !== 'done') return unknown(`${reasonOf(reply)}; then ${found.reason}`);
  if (found.value === null) return refused('not-found', 'there is no such record');
  return reply.kind === 'no' || reply.kind === 'absent'
    ? refused(reply.code, reply.reason)
    : unknown(reasonOf(reply));
}

function canceled<T extends Payin | Payout>(
  reply: ProviderReply,
  found: Outcome<T | null>,
): Outcome<T> {
  if (found.kind !== 'done' || found.value === null) return undone(reply, found);
  if (found.value.status === 'canceled') return done(found.value);
  if (reply.kind === 'closed') return refused(reply.code, reply.reason);
  return undone(reply, found);
}

/** Null when the provider definitely has none. */
function readOrNull<T>(
  reply: ProviderReply,
  read: (json: unknown) => T | undefined,
): Outcome<T | null> {
  if (reply.kind === 'absent') return done(null);
  const record = reply.kind === 'good' ? read(reply.json) : undefined;
  return record === undefined ? unclear(reply) : done(record);
}

function unclear(reply: ProviderReply): Outcome<never> {
  return unknown(reasonOf(reply));
}

function reasonOf(reply: ProviderReply): string {
  return reply.kind === 'good' ? 'the reply cannot be read' : reply.reason;
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
