import { expect, it } from 'vitest';
import { openPlainMemberWorld } from '../../testing/members.ts';
import { useOpened } from '../../testing/use-world.ts';

const world = useOpened(openPlainMemberWorld);

const KEY = 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5';

it('names the wallet, the member and the expiry, and differs between members', async () => {
  const [one, other] = [await world.person(), await world.person()];
  const challengeOf = async (who: typeof one) =>
    (await who.post('/wallets/challenge', { public_key: KEY })).json.data;
  const { challenge, expires_at } = await challengeOf(one);
  for (const part of [KEY, one.id, expires_at]) expect(challenge).toContain(part);
  expect(Date.parse(expires_at) - Date.now()).toBeGreaterThan(60_000);
  expect((await challengeOf(other)).challenge).not.toBe(challenge);
});

it('refuses a text that is no key', async () => {
  const person = await world.person();
  for (const public_key of ['', 'abc', KEY.toLowerCase(), `${KEY.slice(0, -1)}6`, 7])
    expect((await person.post('/wallets/challenge', { public_key })).status).toBe(400);
});
