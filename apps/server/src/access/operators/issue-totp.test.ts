import { decodeBase32 } from '@holdfast/kernel/base32';
import { manualClock } from '@holdfast/kernel/clock';
import { expect, it } from 'vitest';
import { desk, signIn } from '../../testing/operators.ts';
import { useWorld } from '../../testing/use-world.ts';

const clock = manualClock(Date.now());
const world = useWorld({ clock });

it('invalidates the old secret and all sessions', async () => {
  const who = await desk(world);
  const { json } = await world.send('POST', `/operators/${who.id}/totp`, { key: world.masterKey });
  const { operator, totpSecret } = json.data.data;
  expect(operator.id).toBe(who.id);
  expect((await who.send('GET', '/operators/me')).status).toBe(401);
  clock.advance(30_000);
  expect((await signIn(world, who)).status).toBe(401);
  expect((await signIn(world, { ...who, totpSecret: decodeBase32(totpSecret) })).status).toBe(200);
});

it('returns 404 for an unknown operator', async () => {
  const path = `/operators/opr_${'0'.repeat(26)}/totp`;
  const { json } = await world.send('POST', path, { key: world.masterKey });
  expect(json.error.code).toBe('OPERATOR_NOT_FOUND');
});
