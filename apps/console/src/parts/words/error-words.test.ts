//! What an operator reads instead of a message that is addressed to programs.
import { HoldfastError } from '@holdfast/sdk';
import { describe, expect, it } from 'vitest';
import { errorWords } from '#parts/words/error-words.ts';

describe('a call without a response', () => {
  it('may have been carried out, unless it was a read', () => {
    const message = 'POST /orders/ord_1/release: no response from localhost: Failed to fetch';
    const lost = new HoldfastError('CONNECTION_FAILED', { message, isOutcomeKnown: false });
    expect(errorWords(lost).title).toBe('Could not reach Holdfast.');
    expect(errorWords(lost).advice).toMatch(/may have been carried out/);
    const unsent = new HoldfastError('CONNECTION_FAILED', { message, isOutcomeKnown: true });
    expect(errorWords(unsent).advice).toBe('Check your connection, then try again.');
  });
});

describe('an internal error', () => {
  const adviceOf = (details: object, method = 'POST') => {
    const message = `${method} /orders/ord_1/escrow: Internal error.`;
    return errorWords(new HoldfastError('INTERNAL_ERROR', { message, details })).advice;
  };

  it('says that no change was made only where that is known', () => {
    expect(adviceOf({})).toBe('The outcome may be unknown. Check the record before you try again.');
    expect(adviceOf({}, 'GET')).toBe('Try again in a moment.');
    expect(adviceOf({ reason: 'the contract is paused', operationId: 'op_1' })).toBe(
      'The action was rolled back. Try again later.',
    );
    expect(adviceOf({ reason: 'the buyer has no payment account' })).toBe(
      'No change was made. Resolve the stated problem, then try again.',
    );
  });
});

describe('the title', () => {
  it('has plain words instead of code names', () => {
    const message = 'POST /orders/ord_1/release: Order is CLOSED; requires IN_PROGRESS.';
    const { title } = errorWords(new HoldfastError('INVALID_STATE', { message }));
    expect(title).toBe('Order is closed; requires in progress.');
  });

  it('gives the reason', () => {
    const message = 'POST /webhook-endpoints: Webhooks cannot be sent to this URL.';
    const details = { reason: 'the URL must use https' };
    const { title } = errorWords(new HoldfastError('WEBHOOK_URL_REFUSED', { message, details }));
    expect(title).toBe('Webhooks cannot be sent to this URL: the URL must use https.');
  });

  it('says who rejected an action that failed', () => {
    const message = 'POST /orders/ord_1/refund: Internal error.';
    const details = { reason: 'tx_failed: no effect', operationId: 'op_1' };
    const { title } = errorWords(new HoldfastError('INTERNAL_ERROR', { message, details }));
    expect(title).toBe('The provider rejected the request: tx_failed: no effect.');
    const own = new HoldfastError('INTERNAL_ERROR', {
      message,
      details: { reason: 'the order has no escrow' },
    });
    expect(errorWords(own).title).toMatch(/^The request could not be executed: the order has no/);
  });

  it('is about the code alone where only a code was entered', () => {
    const refused = (path: string) =>
      errorWords(
        new HoldfastError('SIGN_IN_REFUSED', {
          message: `POST ${path}: Email, password or code is invalid.`,
        }),
      ).title;
    expect(refused('/operators/sign-in')).toBe('Email, password or code is invalid.');
    expect(refused('/operators')).toBe('Your two-factor code is invalid.');
    expect(refused('/operators/me/password')).toMatch(/^Your current password or/);
  });

  it('hides the message of a fault of the page', () => {
    expect(errorWords(new TypeError('x is undefined')).title).toMatch(/^Something went wrong/);
  });
});
