import { describe, expect, it } from 'vitest';
import { readEscrowReply } from './escrow-replies.ts';

const reply = (status: number, message: unknown, more = {}) =>
  readEscrowReply({
    status,
    json: { statusCode: status, message, ...more },
    retryAfterMs: undefined,
  });

describe('a reply of the escrow provider', () => {
  // biome-ignore format: a table is the one thing exempt from the line limit.
  const refusals: readonly (readonly [sentence: string, code: string])[] = [
    ['You cannot approve a milestone that has already been approved previously', 'already-approved'],
    ['The escrow funds have been released', 'already-released'],
    ['This escrow is already resolved', 'already-resolved'],
    ['Escrow already in dispute', 'already-disputed'],
    ['Escrow not in dispute', 'not-disputed'],
    ['Escrow has been opened for dispute resolution', 'in-dispute'],
    ['The escrow must be completed to release earnings', 'not-approved'],
    ['The signer has insufficient funds to fund the escrow.', 'insufficient-funds'],
    ['The sum of distributions must equal the current escrow balance when resolving an escrow dispute', 'sum-is-not-balance'],
    ['The provided escrow properties do not match the stored escrow', 'terms-differ'],
    ['Only the release signer can release the escrow earnings', 'wrong-role'],
    ['The dispute resolver cannot dispute the escrow', 'wrong-role'],
    ['Amount cannot be zero', 'amount-invalid'],
    ['The platform fee cannot exceed 99%', 'fee-invalid'],
  ];
  for (const [sentence, code] of refusals) {
    it(`is a refusal by its sentence, under any status: ${sentence}`, () => {
      for (const status of [400, 409, 422, 500]) {
        expect(reply(status, sentence)).toMatchObject({ kind: 'no', code });
      }
    });
  }

  it('is a refusal when it lists the faults of a body', () => {
    const message = ['property x should not exist', 'amount must be a number'];
    expect(reply(400, message)).toMatchObject({ kind: 'no', code: 'malformed' });
  });

  it('is a refusal with any words in a list, under status 400 only', () => {
    const words = 'title is longer than we like';
    expect(reply(400, [words])).toMatchObject({ kind: 'no', code: 'malformed' });
    expect(reply(400, words).kind).toBe('unclear');
    expect(reply(500, [words]).kind).toBe('unclear');
  });

  it('is a refusal when a failure comes with a 2xx status', () => {
    const json = { status: 'FAILED', message: 'Amount cannot be zero' };
    const outcome = readEscrowReply({ status: 201, json, retryAfterMs: undefined });
    expect(outcome).toMatchObject({ kind: 'no', code: 'amount-invalid' });
  });

  it('is unclear when the table has no row for it', () => {
    expect(reply(500, 'Internal server error').kind).toBe('unclear');
    expect(reply(400, 'Something new').kind).toBe('unclear');
    expect(reply(404, 'Cannot POST /nowhere').kind).toBe('unclear');
    expect(reply(502, undefined).kind).toBe('unclear');
    expect(reply(500, 'it may not be complete yet: resultMetaXdr').kind).toBe('unclear');
    expect(readEscrowReply({ notSent: false, reason: 'no reply in time' }).kind).toBe('unclear');
  });

  it('is unclear when the limit is reached, with any body', () => {
    expect(reply(429, 'Amount cannot be zero').kind).toBe('unclear');
  });

  it('is a refusal when the provider does not accept our key', () => {
    expect(reply(401, 'Unauthorized')).toMatchObject({ kind: 'no', code: 'unauthorised' });
  });
});
