import { expect, it } from 'vitest';
import { maskBody } from './notification-mask.ts';

it('masks personal data, and leaves the rest as received', () => {
  const body =
    '{ "type":"payout.created", "data": {"id": "po_1", "grossAmount": 10.50, ' +
    '"airtmUserEmail":"ada@example.com", "first_name":"Ada Lovelace", "phone": 4915112345678, ' +
    '"big": 12345678901234567890, "failureReason": "no account of ada@example.com.", ' +
    '"people": [{"name": "Ada"}], "bo@example.com": "x" } }';
  expect(maskBody(body)).toBe(
    '{ "type":"payout.created", "data": {"id": "po_1", "grossAmount": 10.50, ' +
      '"airtmUserEmail":"a•••@e•••.com", "first_name":"•••lace", "phone": "•••", ' +
      '"big": 12345678901234567890, "failureReason": "no account of a•••@e•••.", ' +
      '"people": [{"name": "•••"}], "b•••@e•••.com": "x" } }',
  );
});

it('masks everything inside a personal value, and nothing beside it', () => {
  const body =
    '{"kycInformation":{"level":2,"first":"Ada","proofs":[{"kind":"card"}]},"id":"po_1",' +
    '"people":[{"name":"Ada"},{"id":"usr_1"}],"names":["x"],"beneficiary":["Ada"],"amount":1}';
  expect(maskBody(body)).toBe(
    '{"kycInformation":{"level":"•••","first":"•••","proofs":[{"kind":"•••"}]},"id":"po_1",' +
      '"people":[{"name":"•••"},{"id":"usr_1"}],"names":["x"],"beneficiary":["•••"],"amount":1}',
  );
});

it('leaves addresses of the network, which shows them to everyone', () => {
  const body = `{"buyer_address":"G${'A'.repeat(55)}","address":"Main Street 5"}`;
  expect(maskBody(body)).toContain(`"G${'A'.repeat(55)}"`);
  expect(maskBody(body)).not.toContain('Main');
});

it('recognises an escaped email address', () => {
  expect(maskBody('{"to":"ada\\u0040example.com"}')).toBe('{"to":"a•••@e•••.com"}');
});

it('shows only the length and the hash of a body that is no JSON', () => {
  const shown = maskBody('to=ada@example.com');
  expect(shown).toMatch(/^No JSON: 18 bytes with the SHA-256 [0-9a-f]{64}\.$/);
});
