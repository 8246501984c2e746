import { describe, expect, it } from 'vitest';
import { judgePayment, payinStatusOf, payoutStatusOf } from './payment-answers.ts';
import { hasEnded } from './payment-provider.ts';

const answer = (status: number, code: unknown) =>
  judgePayment({ status, json: { code, message: 'so' }, retryAfterMs: undefined });

describe('answers of the payment provider', () => {
  it('are judged by their code, whatever the status', () => {
    for (const status of [400, 404, 409, 422, 500]) {
      expect(answer(status, '415016')).toMatchObject({ kind: 'no', code: 'balance-too-low' });
      expect(answer(status, 415016)).toMatchObject({ kind: 'no', code: 'balance-too-low' });
      expect(answer(status, '415056')).toMatchObject({ kind: 'taken' });
      expect(answer(status, '415029')).toMatchObject({ kind: 'taken' });
      expect(answer(status, '415027')).toMatchObject({ kind: 'closed' });
      expect(answer(status, '415005')).toMatchObject({ kind: 'absent' });
    }
  });

  it('are unclear when the provider says that it does not know, or we do not', () => {
    for (const code of ['415003', '415998', '415999', '415000', 'constructor', undefined, null]) {
      expect(answer(400, code).kind, String(code)).toBe('unclear');
    }
    expect(answer(404, undefined).kind).toBe('unclear');
    expect(answer(429, '415016').kind).toBe('unclear');
    expect(judgePayment({ notSent: false, reason: 'no answer in time' }).kind).toBe('unclear');
    expect(judgePayment({ status: 500, json: null, retryAfterMs: undefined }).kind).toBe('unclear');
  });

  it('carry statuses in any case', () => {
    expect(payinStatusOf('confirmed')).toBe('confirmed');
    expect(payinStatusOf('Bridge_Failed')).toBe('failed');
    expect(payoutStatusOf('completed', null)).toBe('completed');
    expect(payoutStatusOf('Pending_User_Action', null)).toBe('pending_user_action');
  });

  it('tell a payout that waits for its recipient by the reason', () => {
    expect(payoutStatusOf('PENDING', '415912')).toBe('pending_user_action');
    expect(payoutStatusOf('PENDING', null)).toBe('pending');
    expect(payoutStatusOf('COMPLETED', '415912')).toBe('completed');
  });

  it('end nothing with a status that we do not know', () => {
    for (const status of ['SOMETHING_NEW', '', 'constructor', 'toString']) {
      expect(hasEnded({ status: payinStatusOf(status) })).toBe(false);
      expect(hasEnded({ status: payoutStatusOf(status, null) })).toBe(false);
    }
    expect(hasEnded({ status: payoutStatusOf('ERROR', null) })).toBe(false);
    expect(hasEnded({ status: payoutStatusOf('CANCEL_REQUESTED', null) })).toBe(false);
    expect(hasEnded({ status: payoutStatusOf('BRIDGE_COMPLETED', null) })).toBe(true);
  });
});
