import { instantText, manualClock } from '@holdfast/kernel/clock';
import { describe, expect, it } from 'vitest';
import { type Desk, deskOf, nextCode, person } from '../../testing/operators.ts';
import { useMarket, useOpened } from '../../testing/use-world.ts';

const clock = manualClock(Date.now());
const { world, market } = useMarket({ clock });
const people = useOpened(async () => {
  const admin = () => person(world, { marketplaceId: market.id, role: 'admin' });
  return { requester: await admin(), approver: await admin() };
});

/** Signs both in anew, with codes that were not used before. */
async function signedIn() {
  clock.advance(120_000);
  const at = (who: keyof typeof people) => deskOf(world, people[who], market.id);
  return { requester: await at('requester'), approver: await at('approver') };
}

const DAY_MS = 86_400_000;
const inDays = (days: number) => instantText(clock.now() + days * DAY_MS);
/** The next request of this operator needs another code. */
const withCode = (by: Desk, body: object = {}) => {
  const sent = { ...body, totp: nextCode(world, by) };
  clock.advance(60_000);
  return sent;
};
const post = (by: Desk, path: string, body: object = {}) => by.send('POST', path, { body });
const NEW = { name: 'shop', scopes: ['read'] };

async function approved({ requester, approver }: { requester: Desk; approver: Desk }) {
  const body = withCode(requester, { ...NEW, expiresAt: inDays(90) });
  const { status, json, text } = await post(requester, '/auth/api-keys', body);
  expect(status, text).toBe(202);
  expect(json.data.data).toMatchObject({ action: 'createApiKey', resourceId: market.id });
  expect(text).not.toContain(body.totp);
  const decided = await post(approver, `/approvals/${json.data.data.id}/approve`);
  expect(decided.json.data?.data.status, decided.text).toBe('EXECUTED');
  expect(decided.text).not.toContain('hf_');
  const [newest] = (await market.send('GET', '/auth/api-keys?limit=1')).json.data.data;
  return newest;
}

const usable = async (key: string) => (await world.send('GET', '/auth/me', { key })).status === 200;

describe('a key that an operator requests', () => {
  it('needs a code, and an expiry within 90 days', async () => {
    const { requester } = await signedIn();
    const request = async (body: object) => {
      const { status, json } = await post(requester, '/auth/api-keys', { ...NEW, ...body });
      return `${status} ${json.error.code}`;
    };
    expect(await request(withCode(requester))).toBe('400 VALIDATION_ERROR');
    expect(await request(withCode(requester, { expiresAt: inDays(91) }))).toBe(
      '400 VALIDATION_ERROR',
    );
    expect(await request({ expiresAt: inDays(9) })).toBe('400 VALIDATION_ERROR');
    expect(await request({ expiresAt: inDays(9), totp: '000000' })).toBe('401 SIGN_IN_REFUSED');
  });

  it('works once its requester has fetched the secret, and names both operators', async () => {
    const desks = await signedIn();
    const { requester, approver } = desks;
    const key = await approved(desks);
    expect(key).toMatchObject({
      name: 'shop',
      createdBy: { id: requester.id, name: 'Ada' },
      approvedBy: { id: approver.id, name: 'Ada' },
      hasSecret: false,
    });
    const path = `/auth/api-keys/${key.id}/secret`;
    const other = await post(approver, path);
    expect([other.status, other.json.error.code]).toEqual([403, 'KEY_REQUESTER_REQUIRED']);
    const fetched = (await post(requester, path)).json.data.data;
    expect(fetched.hasSecret).toBe(true);
    expect(await usable(fetched.key)).toBe(true);
    const again = await post(requester, path);
    expect([again.status, again.json.error.code]).toEqual([409, 'INVALID_STATE']);
    const proofs = await world.rows(
      'select action from operator_proof where operator_id = $1 order by totp_step desc limit 1',
      [requester.id],
    );
    expect(proofs).toEqual([{ action: 'createApiKey' }]);
  });

  it('is rotated by two operators', async () => {
    const { requester, approver } = await signedIn();
    const path = `/auth/api-keys/${market.keyId}/rotate`;
    const body = withCode(requester, { overlapSeconds: 3600, expiresAt: inDays(30) });
    const { id } = (await post(requester, path, body)).json.data.data;
    expect((await post(approver, `/approvals/${id}/approve`)).json.data.data.status).toBe(
      'EXECUTED',
    );
    const [newest] = (await market.send('GET', '/auth/api-keys?limit=1')).json.data.data;
    expect(newest).toMatchObject({ rotatedFrom: market.keyId, hasSecret: false });
  });

  it.each(['disabled', 'of another role'])(
    'ends when its requester is %s, and stays ended',
    async (end) => {
      const desks = await signedIn();
      const { requester } = desks;
      const { id } = await approved(desks);
      const path = `/auth/api-keys/${id}/secret`;
      const { key } = (await post(requester, path)).json.data.data;
      expect(await usable(key)).toBe(true);
      const put = (what: string, body: object) =>
        world.send('PUT', `/operators/${requester.id}/${what}`, { key: world.masterKey, body });
      const roles = (role: string) => ({ memberships: [{ marketplaceId: market.id, role }] });
      if (end === 'disabled') await put('status', { status: 'DISABLED' });
      else await put('memberships', roles('finance'));
      clock.advance(1000);
      expect(await usable(key)).toBe(false);
      await put('status', { status: 'ACTIVE' });
      await put('memberships', roles('admin'));
      clock.advance(1000);
      expect(await usable(key)).toBe(false);
    },
  );
});
