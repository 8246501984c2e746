import { describe, expect, it } from 'vitest';
import { readPaymentBody } from './payment-body.ts';

const data = {
  id: 'a-uuid',
  code: 'topup_1',
  amount: 50.5,
  currency: 'USD',
  status: 'CONFIRMED',
  reasonCode: null,
  reasonDescription: null,
};
const occurredAt = '2026-11-15T10:00:00.000Z';
const normalised = (changes: object = {}, more: object = {}) =>
  JSON.stringify({
    eventId: 'evt_1',
    eventType: 'payin.succeeded',
    occurredAt,
    data: { ...data, ...changes },
    ...more,
  });
const vendor = {
  id: 'a-uuid',
  code: 'topup_1',
  status: 'CONFIRMED',
  amount: 50.5,
  netAmount: 50.5,
  items: [],
  updatedAt: occurredAt,
  confirmationUri: 'https://x.example',
};

describe('parsing a notification', () => {
  it('reads the specification’s form', () => {
    expect(readPaymentBody(normalised(), 'msg_1')).toEqual({
      eventId: 'evt_1',
      type: 'payin.succeeded',
      notification: {
        eventId: 'evt_1',
        type: 'payin.succeeded',
        occurredAt: Date.parse(occurredAt),
        id: 'a-uuid',
        code: 'topup_1',
        amountMinor: 5050n,
        currency: 'USD',
        status: 'confirmed',
        reasonCode: null,
        reasonDescription: null,
      },
    });
  });

  it('takes a field that is left empty for one that is absent', () => {
    const read = (changes: object) => readPaymentBody(normalised(changes), 'msg_1')?.notification;
    for (const field of ['id', 'code', 'amount', 'currency', 'status', 'reasonCode', 'grossAmount'])
      expect(read({ [field]: '' }), field).toEqual(read({ [field]: undefined }));
    expect(read({ id: '', currency: '', reasonDescription: '' })).toMatchObject({
      id: null,
      code: 'topup_1',
      currency: null,
      reasonDescription: null,
    });
  });

  it.each([
    ['with its type', { type: 'payin.confirmed', data: vendor }, 'payin.confirmed'],
    ['bare', vendor, 'payin.succeeded'],
  ])('reads the vendor’s form, %s, under the message’s id', (_, body, type) => {
    expect(readPaymentBody(JSON.stringify(body), 'msg_1')).toMatchObject({
      eventId: 'msg_1',
      type,
      notification: {
        eventId: 'msg_1',
        type: 'payin.succeeded',
        status: 'confirmed',
        amountMinor: 5050n,
        currency: null,
        occurredAt: Date.parse(occurredAt),
      },
    });
  });

  it('identifies a bare payout by its gross amount', () => {
    const payout = { id: 'p', code: 'wd_1', status: 'COMPLETED', grossAmount: 20, amount: 19 };
    expect(readPaymentBody(JSON.stringify(payout), 'msg_1')?.notification).toMatchObject({
      type: 'payout.completed',
      status: 'completed',
      amountMinor: 2000n,
    });
  });

  it.each([
    ['payin.created', 'CREATED', 'created'],
    ['payin.awaiting_user_confirmation', 'CREATED', 'created'],
    ['payin.processing', 'PROCESSING', 'processing'],
    ['payin.failed', 'FAILED', 'failed'],
    ['payin.canceled', 'BRIDGE_CANCELED', 'canceled'],
    ['payout.created', 'CREATED', 'created'],
    ['payout.committed', 'COMMITTED', 'committed'],
    ['payout.pending', 'PENDING', 'pending'],
    ['payout.pending_user_action', 'PENDING_USER_ACTION', 'pending_user_action'],
    ['payout.completed', 'COMPLETED', 'completed'],
    ['payout.failed', 'FAILED', 'failed'],
    ['payout.canceled', 'CANCELED', 'canceled'],
  ])('reads %s as %s', (eventType, status, description) => {
    const read = readPaymentBody(normalised({ status }, { eventType }), undefined);
    expect(read?.notification).toMatchObject({ type: eventType, status: description });
  });

  it('reads a reason in any form', () => {
    const fields = { status: 'FAILED', reasonCode: 415034, reasonDescription: 'poor' };
    expect(
      readPaymentBody(normalised(fields, { eventType: 'payin.failed' }), 'm')?.notification,
    ).toEqual(expect.objectContaining({ reasonCode: '415034', reasonDescription: 'poor' }));
  });
});

describe('parsing an invalid body', () => {
  it.each([
    ['no JSON', '{', 'msg_1'],
    ['a list', '[1]', 'msg_1'],
    ['an unknown type', normalised({}, { eventType: 'payin.exploded' }), 'evt_1'],
    ['a fraction of a cent', normalised({ amount: 50.001 }), 'evt_1'],
    ['an amount in words', normalised({ amount: 'much' }), 'evt_1'],
    ['a negative amount', normalised({ amount: -1 }), 'evt_1'],
    ['a name that is none', normalised({ code: 7 }), 'evt_1'],
    ['a name with a NUL', normalised({ code: 'a\u0000' }), 'evt_1'],
    ['a name without end', normalised({ id: 'x'.repeat(301) }), 'evt_1'],
    ['two ends at once', normalised({ status: 'FAILED' }), 'evt_1'],
  ])('returns the id alone for %s', (_, text, eventId) => {
    expect(readPaymentBody(text, 'msg_1')).toMatchObject({ eventId, notification: undefined });
  });

  it('returns nothing when there is no id at all', () => {
    expect(readPaymentBody('{}', undefined)).toBeUndefined();
  });
});
