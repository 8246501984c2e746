//! Tests of abuse by members, outsiders and holders of stolen tokens.
import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { balanceOf, useAuditedBooks } from '../../testing/escrows.ts';
import { MEMBER_SECRET, openMemberWorld, PASSWORD, type Person } from '../../testing/members.ts';
import { useOpened } from '../../testing/use-world.ts';

const world = useOpened(openMemberWorld);
const buyer = useOpened(() => world.person('1000.00'));
const seller = useOpened(() => world.person());
useAuditedBooks(world);

const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url');

/** One of our tokens with a change, signed with our secret unless another is named. */
function forged(
  { token }: Person,
  changes: { header?: object; claims?: object; secret?: string },
): string {
  const [header = '', claims = ''] = token.split('.');
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as object;
  const body = [
    encode({ ...read(header), ...changes.header }),
    encode({ ...read(claims), ...changes.claims }),
  ].join('.');
  const secret = changes.secret ?? MEMBER_SECRET;
  return `${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`;
}

const now = () => Math.floor(Date.now() / 1000);
const init = (who: Person, project: string, fields: object = {}) =>
  who.post('/escrow/init', {
    project_id: project,
    seller_id: seller.id,
    amount: 100,
    currency: 'USD',
    ...fields,
  });

describe('presenting a token', () => {
  it('is accepted when valid: the cases below fail for their own reasons', async () => {
    const response = await world.request('GET', '/balances', { token: forged(buyer, {}) });
    expect(response.status).toBe(200);
  });

  // biome-ignore format: a table.
  const WRONG: [string, () => string][] = [
    ['of another secret', () => forged(buyer, { secret: 'another secret that is long enough too' })],
    ['of Surface A\'s secret', () => forged(buyer, { secret: 'a secret for tests that is long enough' })],
    ['that is over', () => forged(buyer, { claims: { iat: now() - 7200, exp: now() - 3600 } })],
    ['with alg none', () => `${encode({ alg: 'none', typ: 'hf-member+jwt', kid: 'member-1' })}.${buyer.token.split('.')[1]}.`],
    ['with another alg', () => forged(buyer, { header: { alg: 'HS512' } })],
    ['for another audience', () => forged(buyer, { claims: { aud: 'holdfast:surface-a' } })],
    ['of another issuer', () => forged(buyer, { claims: { iss: 'https://another.example' } })],
    ['with an unknown kid', () => forged(buyer, { header: { kid: 'member-9' } })],
    ['without a kid', () => forged(buyer, { header: { kid: undefined } })],
    ['of another marketplace', () => forged(buyer, { claims: { mkt: 'mkt_00000000000000000000000000' } })],
    ['of an unknown user', () => forged(buyer, { claims: { sub: 'usr_00000000000000000000000000' } })],
    ['of an API key', () => world.house.key],
    ['that is the master key', () => world.masterKey],
    ['that is no token', () => 'rubbish'],
  ];

  it.each(WRONG)('returns 401 for a token %s', async (_, token) => {
    const response = await world.request('GET', '/balances', { token: token() });
    expect([response.status, response.json.ok]).toEqual([401, false]);
  });

  it('is refused on the other surface, in both directions', async () => {
    const path = `/auth/api-keys/${world.house.keyId}/token`;
    const created = await world.house.send('POST', path, { body: {} });
    const { token } = created.json.data.data as { token: string };
    expect((await world.request('GET', '/balances', { token })).status).toBe(401);
    const there = await world.send('GET', '/users', { key: buyer.token });
    expect(there.status).toBe(401);
  });

  it('is refused after its member has logged out, while a new one is accepted', async () => {
    const person = await world.person();
    expect((await person.post('/auth/logout')).status).toBe(200);
    expect((await person.get('/balances')).status).toBe(401);
    const body = { email: person.email, password: PASSWORD };
    const { token } = (await world.request('POST', '/auth/login', { body })).json.data;
    expect((await world.request('GET', '/balances', { token })).status).toBe(200);
  });
});

describe('requesting an escrow', () => {
  it("is refused for another member's project, and so is its release by another", async () => {
    const project = await buyer.project();
    const thief = await world.person('500.00');
    expect((await init(thief, project)).status).toBe(404);
    const created = await init(buyer, project);
    expect(created.status, created.text).toBe(200);
    const { escrow_id } = created.json.data;
    for (const who of [seller, thief])
      expect((await who.post('/escrow/release', { escrow_id })).status).toBe(401);
    expect(await balanceOf(world, world.house, thief.id)).toBe('500.00 0.00');
  });

  it('is created once for five concurrent requests', async () => {
    const rich = await world.person('1000.00');
    const project = await rich.project();
    const responses = await Promise.all([1, 2, 3, 4, 5].map(() => init(rich, project)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 400)).toHaveLength(4);
    expect(await balanceOf(world, world.house, rich.id)).toBe('900.00 0.00');
    const orders = await world.house.send('GET', `/orders?buyer_id=${rich.id}`);
    expect(orders.json.data.data).toHaveLength(1);
  });

  // biome-ignore format: a table.
  it.each([
    ['0', '0'], ['-1', '-1'], ['1e400', '1e400'], ['0.1 + 0.2', '0.30000000000000004'], ['1.005', '1.005'],
    ['1e-7', '1e-7'], ['1e21', '1e21'], ['text', '"100"'], ['null', 'null'], ['true', 'true'], ['a list', '[100]'],
    ['more than an order may have', '1000000.01'],
  ])('is refused with the amount %s and moves nothing', async (_, amount) => {
    const project = await buyer.project();
    const before = await balanceOf(world, world.house, buyer.id);
    const body = `{"project_id":"${project}","seller_id":"${seller.id}","amount":${amount},"currency":"USD"}`;
    const response = await buyer.post('/escrow/init', body);
    expect([400, 422], response.text).toContain(response.status);
    expect(response.json.data).toBeNull();
    expect(await balanceOf(world, world.house, buyer.id)).toBe(before);
  });

  it.each([0.01, 1.1, 99.99, 123_456.78])('keeps %d to the cent', async (budget) => {
    const project = { title: 'T', budget, currency: 'USD' };
    expect((await buyer.post('/projects', project)).json.data.budget).toBe(budget);
  });
});

describe('logging in', () => {
  it('reveals neither by text nor by time whether an address is registered', async () => {
    // Measures processor time, including the hashing thread: a busy machine does not affect it.
    const took = async (email: string) => {
      const before = process.cpuUsage();
      const body = { email, password: 'wrong password' };
      const response = await world.request('POST', '/auth/login', { body });
      return { text: response.text, spent: process.cpuUsage(before).user };
    };
    const rounds = [];
    for (let round = 0; round < 8; round += 1)
      rounds.push({
        known: await took(buyer.email),
        unknown: await took(`x${round}${buyer.email}`),
      });
    expect(new Set(rounds.flatMap(({ known, unknown }) => [known.text, unknown.text])).size).toBe(
      1,
    );
    const median = (list: number[]) => list.sort((a, b) => a - b)[list.length >> 1] as number;
    const known = median(rounds.map((round) => round.known.spent));
    const unknown = median(rounds.map((round) => round.unknown.spent));
    expect(Math.max(known, unknown) / Math.min(known, unknown)).toBeLessThan(2);
  });

  it('is refused after too many attempts at one account, from any address', async () => {
    const other = await openMemberWorld({ HOLDFAST_LOGIN_ATTEMPTS: '5' });
    try {
      const person = await other.person();
      const body = { email: person.email.toUpperCase(), password: 'wrong password' };
      const responses = [];
      for (let tries = 0; tries < 7; tries += 1)
        responses.push((await other.request('POST', '/auth/login', { body })).status);
      expect(responses).toEqual([401, 401, 401, 401, 401, 429, 429]);
    } finally {
      await other.close();
    }
  });
});
