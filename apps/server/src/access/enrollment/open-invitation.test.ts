import { decodeBase32 } from '@holdfast/kernel/base32';
import { manualClock } from '@holdfast/kernel/clock';
import { expect, it } from 'vitest';
import { complete, enroll, firstCode, invite, open } from '../../testing/scenarios/enrollment.ts';
import { useWorld } from '../../testing/use-world.ts';

const clock = manualClock(Date.now());
const world = useWorld({ clock });

const INVALID = { status: 403, code: 'INVITATION_INVALID' };
const refusal = async (token: string) => {
  const { status, json } = await open(world, token);
  return { status, code: json.error?.code };
};

it('shows the person and a secret that is stored sealed; only the last one shown counts', async () => {
  const { email, token } = await invite(world);
  const { json } = await open(world, token);
  const { totpSecret, totpUri, ...rest } = json.data.data;
  expect(rest).toMatchObject({ email, name: 'Ida' });
  expect(totpUri).toContain(totpSecret);
  const stored = `select from operator_invitation t where position($1::bytea in totp_secret) > 0`;
  const plain = Buffer.from(decodeBase32(totpSecret));
  expect(await world.rows(stored, [plain])).toEqual([]);
  const again = (await open(world, token)).json.data.data;
  expect(again.totpSecret).not.toBe(totpSecret);
  const stale = await complete(world, token, firstCode(world, decodeBase32(totpSecret)));
  expect(stale.json.error).toMatchObject({
    code: 'VALIDATION_ERROR',
    details: { errors: [{ field: 'totp', rule: 'conflict' }] },
  });
  const right = await complete(world, token, firstCode(world, decodeBase32(again.totpSecret)));
  expect(right.status, right.text).toBe(200);
});

it('says one and the same of a wrong, used and expired link, and ends after 48 hours', async () => {
  const used = await invite(world);
  await enroll(world, used);
  expect(await refusal(used.token)).toEqual(INVALID);
  expect(await refusal('x'.repeat(43))).toEqual(INVALID);
  const { token } = await invite(world);
  clock.advance(48 * 3_600_000 - 1);
  expect((await open(world, token)).status).toBe(200);
  clock.advance(1);
  expect(await refusal(token)).toEqual(INVALID);
});

it('is refused for a disabled operator, and from another site', async () => {
  const { id, token } = await invite(world);
  const body = { token };
  const origin = 'https://elsewhere.example';
  const foreign = await world.send('POST', '/operators/enrollment', { body, headers: { origin } });
  expect(foreign.json.error.code).toBe('CSRF_REQUIRED');
  await world.send('PUT', `/operators/${id}/status`, {
    key: world.masterKey,
    body: { status: 'DISABLED' },
  });
  expect(await refusal(token)).toEqual(INVALID);
});

it('records refused links in the audit log', async () => {
  await open(world, 'y'.repeat(43));
  await world.app.refusedSignIns.flush();
  const rows = await world.rows(`select after from audit where action = 'SIGN_IN_REFUSED'`);
  expect(rows).toContainEqual({ after: expect.objectContaining({ flow: 'operator' }) });
});
