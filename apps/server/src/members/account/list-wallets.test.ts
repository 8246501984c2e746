import { expect, it } from 'vitest';
import { openPlainMemberWorld } from '../../testing/members.ts';
import { useOpened } from '../../testing/use-world.ts';

const world = useOpened(openPlainMemberWorld);

const KEYS = [
  'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5',
  'GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7',
];

it("lists the member's own wallets, newest first", async () => {
  const [person, other] = [await world.person(), await world.person()];
  for (const public_key of KEYS)
    expect((await person.post('/wallets/connect', { public_key })).status).toBe(200);
  const { wallets } = (await person.get('/wallets')).json.data;
  expect(wallets.map(({ public_key: key }: { public_key: string }) => key)).toEqual(
    KEYS.toReversed(),
  );
  expect((await other.get('/wallets')).json.data.wallets).toEqual([]);
});
