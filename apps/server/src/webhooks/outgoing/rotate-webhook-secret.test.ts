import { manualClock } from '@holdfast/kernel/clock';
import { expect, it } from 'vitest';
import { publishSequenced } from '../../testing/sse.ts';
import { useOpened, useWorld } from '../../testing/use-world.ts';
import {
  createEndpoint,
  isSignedWith,
  openReceiver,
  type Received,
  runLane,
} from '../../testing/webhook-receiver.ts';

const clock = manualClock(Date.now());
const world = useWorld({ clock });
const receiver = useOpened(openReceiver);

it('signs with both until the overlap ends, and then with the new one', async () => {
  const market = await world.market();
  const { id, secret: old } = await createEndpoint(market, { url: receiver.url });
  const rotated = await market.send('POST', `/webhook-endpoints/${id}/rotate-secret`);
  const { secret, oldSecretUntil } = rotated.json.data.data;
  expect(secret).not.toBe(old);
  expect(Date.parse(oldSecretUntil) - clock.now()).toBe(86_400_000);
  const send = async () => {
    await publishSequenced(world, market, 1);
    await runLane(world, market, id);
    return receiver.received.at(-1) as Received;
  };
  const during = await send();
  expect(String(during.headers['webhook-signature'])).toMatch(/^v1,\S{44} v1,\S{44}$/);
  expect([isSignedWith(old, during), isSignedWith(secret, during)]).toEqual([true, true]);
  clock.advance(86_400_001);
  const after = await send();
  expect([isSignedWith(old, after), isSignedWith(secret, after)]).toEqual([false, true]);
});

it('ends the old one at once when there is no overlap', async () => {
  const market = await world.market();
  const { id, secret: old } = await createEndpoint(market, { url: receiver.url });
  const body = { overlapSeconds: 0 };
  await market.send('POST', `/webhook-endpoints/${id}/rotate-secret`, { body });
  await publishSequenced(world, market, 1);
  await runLane(world, market, id);
  expect(isSignedWith(old, receiver.received.at(-1) as Received)).toBe(false);
});
