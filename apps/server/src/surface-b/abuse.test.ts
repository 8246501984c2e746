//! What members, strangers and thieves may try, and what they get.
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditBooks, balanceOf } from '../testing/escrows.ts';
import {
  MEMBER_SECRET,
  type MemberWorld,
  openMemberWorld,
  PASSWORD,
  type Person,
} from '../testing/members.ts';

let world: MemberWorld;
let buyer: Person;
let seller: Person;
beforeAll(async () => {
  world = await openMemberWorld();
  buyer = await world.person('1000.00');
  seller = await world.person();
});
afterAll(async () => {
  expect(await auditBooks(world)).toEqual([]);
  await world.close();
});

const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url');

/** A token of ours with something changed, signed as ours are unless a secret is named. */
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

describe('a token', () => {
  it('that is right lets in: the table below fails for its own reasons', async () => {
    const answer = await world.ask('GET', '/balances', { token: forged(buyer, {}) });
    expect(answer.status).toBe(200);
  });

  // biome-ignore format: a table.
  const WRONG: [string, () => string][] = [
    ['of another secret', () => forged(buyer, { secret: 'another secret that is long enough too' })],
    ['of Surface A\'s secret', () => forged(buyer, { secret: 'a secret for tests that is long enough' })],
    ['that is over', () => forged(buyer, { claims: { iat: now() - 7200, exp: now() - 3600 } })],
    ['with alg none', () => `${encode({ alg: 'none', typ: 'hf-member+jwt', kid: 'member-1' })}.${buyer.token.split('.')[1]}.`],
    ['with another alg', () => forged(buyer, { header: { alg: 'HS512' } })],
    ['for another audience', () => forged(buyer, { claims: { aud: 'holdfast:surface-a' } })],
    ['of another issuer', () => forged(buyer, { claims: { iss: 'somebody' } })],
    ['with an unknown kid', () => forged(buyer, { header: { kid: 'member-9' } })],
    ['without a kid', () => forged(buyer, { header: { kid: undefined } })],
    ['of another marketplace', () => forged(buyer, { claims: { mkt: 'mkt_00000000000000000000000000' } })],
    ['of nobody', () => forged(buyer, { claims: { sub: 'usr_00000000000000000000000000' } })],
    ['of an API key', () => world.house.key],
    ['that is the master key', () => world.masterKey],
    ['that is no token', () => 'rubbish'],
  ];

  it.each(WRONG)('%s is 401', async (_, token) => {
    const answer = await world.ask('GET', '/balances', { token: token() });
    expect([answer.status, answer.json.ok]).toEqual([401, false]);
  });

  it('of Surface A opens nothing here, nor does one of ours there', async () => {
    const path = `/auth/api-keys/${world.house.keyId}/token`;
    const made = await world.house.send('POST', path, { body: {} });
    const { token } = made.json.data.data as { token: string };
    expect((await world.ask('GET', '/balances', { token })).status).toBe(401);
    const there = await world.send('GET', '/users', { key: buyer.token });
    expect(there.status).toBe(401);
  });

  it('is worth nothing after its member has logged out, while a new one is', async () => {
    const person = await world.person();
    expect((await person.post('/auth/logout')).status).toBe(200);
    expect((await person.get('/balances')).status).toBe(401);
    const body = { email: person.email, password: PASSWORD };
    const { token } = (await world.ask('POST', '/auth/login', { body })).json.data;
    expect((await world.ask('GET', '/balances', { token })).status).toBe(200);
  });
});

describe('an escrow', () => {
  it("is not begun for another's project, nor paid out by another", async () => {
    const project = await buyer.project();
    const thief = await world.person('500.00');
    expect((await init(thief, project)).status).toBe(404);
    const made = await init(buyer, project);
    expect(made.status, made.text).toBe(200);
    const { escrow_id } = made.json.data;
    for (const who of [seller, thief])
      expect((await who.post('/escrow/release', { escrow_id })).status).toBe(401);
    expect(await balanceOf(world, world.house, thief.id)).toBe('500.00 0.00');
  });

  it('is begun once when it is asked for five times at once', async () => {
    const rich = await world.person('1000.00');
    const project = await rich.project();
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => init(rich, project)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(4);
    expect(await balanceOf(world, world.house, rich.id)).toBe('900.00 0.00');
    const orders = await world.house.send('GET', `/orders?buyer_id=${rich.id}`);
    expect(orders.json.data.data).toHaveLength(1);
  });

  // biome-ignore format: a table.
  it.each([
    ['0', '0'], ['-1', '-1'], ['1e400', '1e400'], ['0.1 + 0.2', '0.30000000000000004'], ['1.005', '1.005'],
    ['1e-7', '1e-7'], ['1e21', '1e21'], ['text', '"100"'], ['null', 'null'], ['true', 'true'], ['a list', '[100]'],
    ['more than an order may have', '1000000.01'],
  ])('of %s is refused and moves nothing', async (_, amount) => {
    const project = await buyer.project();
    const before = await balanceOf(world, world.house, buyer.id);
    const body = `{"project_id":"${project}","seller_id":"${seller.id}","amount":${amount},"currency":"USD"}`;
    const answer = await buyer.post('/escrow/init', body);
    expect([400, 422], answer.text).toContain(answer.status);
    expect(answer.json.data).toBeNull();
    expect(await balanceOf(world, world.house, buyer.id)).toBe(before);
  });

  it.each([0.01, 1.1, 99.99, 123_456.78])('keeps %d to the cent', async (budget) => {
    const project = { title: 'T', budget, currency: 'USD' };
    expect((await buyer.post('/projects', project)).json.data.budget).toBe(budget);
  });
});

describe('a login', () => {
  it('tells nobody whether an address is registered, by words or by time', async () => {
    // Processor time, of the thread that hashes too: a busy machine takes none of it.
    const took = async (email: string) => {
      const before = process.cpuUsage();
      const body = { email, password: 'wrong password' };
      const answer = await world.ask('POST', '/auth/login', { body });
      return { text: answer.text, spent: process.cpuUsage(before).user };
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

  it('is stopped after so many tries at one account, whoever tries', async () => {
    const other = await openMemberWorld({ HOLDFAST_LOGIN_ATTEMPTS: '5' });
    try {
      const person = await other.person();
      const body = { email: person.email.toUpperCase(), password: 'wrong password' };
      const answers = [];
      for (let tries = 0; tries < 7; tries += 1)
        answers.push((await other.ask('POST', '/auth/login', { body })).status);
      expect(answers).toEqual([401, 401, 401, 401, 401, 429, 429]);
    } finally {
      await other.close();
    }
  });
});
