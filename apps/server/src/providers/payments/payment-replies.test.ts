import { describe, expect, it } from 'vitest';
import { hasEnded } from './payment-provider.ts';
import { payinStatusOf, payoutStatusOf, readPaymentReply } from './payment-replies.ts';

const reply = (status: number, code: unknown) =>
  readPaymentReply({ status, json: { code, message: 'so' }, retryAfterMs: undefined });

describe('replies of the payment provider', () => {
  it('are interpreted by their code, under any status', () => {
    for (const status of [400, 404, 409, 422, 500]) {
      expect(reply(status, '415016')).toMatchObject({ kind: 'no', code: 'balance-too-low' });
      expect(reply(status, 415016)).toMatchObject({ kind: 'no', code: 'balance-too-low' });
      expect(reply(status, '415056')).toMatchObject({ kind: 'taken' });
      expect(reply(status, '415029')).toMatchObject({ kind: 'taken' });
      expect(reply(status, '415027')).toMatchObject({ kind: 'closed' });
      expect(reply(status, '415005')).toMatchObject({ kind: 'absent' });
    }
  });

  it('are unclear when the provider says that it does not know, or we do not', () => {
    for (const code of ['415003', '415998', '415999', '415000', 'constructor', undefined, null]) {
      expect(reply(400, code).kind, String(code)).toBe('unclear');
    }
    expect(reply(404, undefined).kind).toBe('unclear');
    expect(reply(429, '415016').kind).toBe('unclear');
    expect(readPaymentReply({ notSent: false, reason: 'no reply in time' }).kind).toBe('unclear');
    expect(readPaymentReply({ status: 500, json: null, retryAfterMs: undefined }).kind).toBe(
      'unclear',
    );
  });

  it('carry statuses in any case', () => {
    expect(payinStatusOf('confirmed')).toBe('confirmed');
    expect(payinStatusOf('Bridge_Failed')).toBe('failed');
    expect(payoutStatusOf('completed', null)).toBe('completed');
    expect(payoutStatusOf('Pending_User_Action', null)).toBe('pending_user_action');
  });

  it('mark a payout that waits for its recipient by the reason', () => {
    expect(payoutStatusOf('PENDING', '415912')).toBe('pending_user_action');
    expect(payoutStatusOf('PENDING', null)).toBe('pending');
    expect(payoutStatusOf('COMPLETED', '415912')).toBe('completed');
  });

  it('end nothing with an unrecognised status', () => {
    for (const status of ['SOMETHING_NEW', '', 'constructor', 'toString']) {
      expect(hasEnded({ status: payinStatusOf(status) })).toBe(false);
      expect(hasEnded({ status: payoutStatusOf(status, null) })).toBe(false);
    }
    expect(hasEnded({ status: payoutStatusOf('ERROR', null) })).toBe(false);
    expect(hasEnded({ status: payoutStatusOf('CANCEL_REQUESTED', null) })).toBe(false);
    expect(hasEnded({ status: payoutStatusOf('BRIDGE_COMPLETED', null) })).toBe(true);
  });
});
