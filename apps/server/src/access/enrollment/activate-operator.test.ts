import { manualClock } from '@holdfast/kernel/clock';
import { describe, expect, it } from 'vitest';
import { type Desk, desk, deskOf, nextCode, person, signIn } from '../../testing/operators.ts';
import {
  activate,
  activateByMaster,
  complete,
  enroll,
  invite,
  tokenOf,
} from '../../testing/scenarios/enrollment.ts';
import { useWorld } from '../../testing/use-world.ts';
import type { World } from '../../testing/world.ts';

const DAY_MS = 24 * 3_600_000;

const clock = manualClock(Date.now());
const world = useWorld({ clock });

/** Each code of an admin works once. */
const later = () => clock.advance(30_000);

const refusalOf = ({ json }: { json: { error?: { code?: string; details?: unknown } } }) => ({
  code: json.error?.code,
  details: json.error?.details,
});

async function twoAdmins(): Promise<[Desk, Desk]> {
  const admin = () => desk(world, { isPlatformAdmin: true });
  return [await admin(), await admin()];
}

const auditOf = async (within: World, id: string) =>
  (
    await within.rows<{ action: string }>(
      'select action from audit where resource_id = $1 and marketplace_id = 0 order by id',
      [id],
    )
  ).map(({ action }) => action);

describe('the master key', () => {
  it('activates without a wait while fewer than two platform admins are active', async () => {
    const own = await enroll(world, await invite(world));
    const { status, json } = await activateByMaster(world, own.id, own.code.toLowerCase());
    expect([status, json.data.data.status, json.data.data.approvesFrom]).toEqual([
      200,
      'ACTIVE',
      null,
    ]);
    expect((await signIn(world, own)).status).toBe(200);
    const waiting = await enroll(world, await invite(world));
    await twoAdmins();
    const refused = await activateByMaster(world, waiting.id, waiting.code);
    expect(refused.json.error.code).toBe('PLATFORM_ADMIN_REQUIRED');
    expect(await auditOf(world, waiting.id)).toEqual(['OPERATOR_INVITED', 'OPERATOR_ENROLLED']);
  });
});

describe('a platform admin', () => {
  it('activates whom another one invited, with a code, and the person waits a day', async () => {
    const [petra, paul] = await twoAdmins();
    const nora = await enroll(world, await invite(world, petra));
    const path = `/operators/${nora.id}/activate`;
    const { code } = nora;
    const bare = await paul.send('POST', path, { body: { code } });
    expect(bare.json.error.code).toBe('VALIDATION_ERROR');
    const before = clock.now();
    const { status, json, text } = await activate(world, paul, nora.id, code);
    expect(status, text).toBe(200);
    expect(Date.parse(json.data.data.approvesFrom) - before).toBe(DAY_MS);
    expect((await signIn(world, nora)).status).toBe(200);
    const actions = ['OPERATOR_INVITED', 'OPERATOR_ENROLLED', 'OPERATOR_ACTIVATED'];
    expect((await auditOf(world, nora.id)).slice(0, 3)).toEqual(actions);
  });

  it('does not activate whom they invited or reset', async () => {
    const [petra, paul] = await twoAdmins();
    const nora = await enroll(world, await invite(world, petra));
    later();
    const alone = await activate(world, petra, nora.id, nora.code);
    expect(refusalOf(alone)).toEqual({
      code: 'SECOND_APPROVER_REQUIRED',
      details: { requestedBy: petra.id },
    });
    const reset = await paul.send('POST', `/operators/${nora.id}/reset`, {
      body: { totp: nextCode(world, paul) },
    });
    const again = await enroll(world, { ...nora, token: tokenOf(reset) });
    later();
    const reseter = await activate(world, paul, nora.id, again.code);
    expect(reseter.json.error.code).toBe('SECOND_APPROVER_REQUIRED');
    later();
    expect((await activate(world, petra, nora.id, again.code)).status).toBe(200);
  });

  it('activates no other operator on the day after their own activation', async () => {
    const [petra, paul] = await twoAdmins();
    const newcomer = await enroll(world, await invite(world, petra, { isPlatformAdmin: true }));
    expect((await activate(world, paul, newcomer.id, newcomer.code)).status).toBe(200);
    const activatedAt = clock.now();
    later();
    const other = await enroll(world, await invite(world, petra));
    const tooNew = await deskOf(world, newcomer);
    const refused = await activate(world, tooNew, other.id, other.code);
    const from = new Date(activatedAt + DAY_MS).toISOString();
    expect(refusalOf(refused)).toEqual({ code: 'APPROVER_TOO_NEW', details: { from } });
    clock.advance(activatedAt + DAY_MS - clock.now());
    const fresh = await deskOf(world, newcomer);
    expect((await activate(world, fresh, other.id, other.code)).status).toBe(200);
  });
});

describe('a wrong confirmation code', () => {
  it('is counted and audited; the fifth voids the credentials', async () => {
    const [petra, paul] = await twoAdmins();
    const nora = await enroll(world, await invite(world, petra));
    const wrong = nora.code.startsWith('0') ? '1111-1111' : '0000-0000';
    for (const attemptsLeft of [4, 3, 2, 1, 0]) {
      expect(refusalOf(await activate(world, paul, nora.id, wrong))).toEqual({
        code: 'CONFIRMATION_CODE_INVALID',
        details: { attemptsLeft },
      });
      later();
    }
    const right = await activate(world, paul, nora.id, nora.code);
    expect(refusalOf(right)).toMatchObject({
      code: 'INVALID_STATE',
      details: { state: 'INVITED', allowed: ['ENROLLED'] },
    });
    expect((await signIn(world, nora)).status).toBe(401);
    const link = await complete(world, nora.token, '000000');
    expect(link.json.error.code, 'the link is used up').toBe('INVITATION_INVALID');
    const refused = (await auditOf(world, nora.id)).filter((one) => one === 'ACTIVATION_REFUSED');
    expect(refused).toHaveLength(5);
  });

  it('uses up the code of the admin who tried it', async () => {
    const [petra, paul] = await twoAdmins();
    const nora = await enroll(world, await invite(world, petra));
    const totp = nextCode(world, paul);
    const send = (code: string) =>
      paul.send('POST', `/operators/${nora.id}/activate`, { body: { code, totp } });
    expect((await send('0000-0000')).json.error.code).toBe('CONFIRMATION_CODE_INVALID');
    expect((await send(nora.code)).json.error.code).toBe('SIGN_IN_REFUSED');
  });
});

it('lets one of two activations at once win', async () => {
  const [petra, paul] = await twoAdmins();
  const pia = await desk(world, { isPlatformAdmin: true });
  const nora = await enroll(world, await invite(world, petra));
  const both = await Promise.all([paul, pia].map((by) => activate(world, by, nora.id, nora.code)));
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
});

it('returns 404 for an unknown operator, and 409 for one who is active', async () => {
  const paul = await desk(world, { isPlatformAdmin: true });
  const unknown = await activate(world, paul, `opr_${'0'.repeat(26)}`, '0000-0000');
  expect(unknown.json.error.code).toBe('OPERATOR_NOT_FOUND');
  const { id } = await person(world);
  later();
  expect((await activate(world, paul, id, '0000-0000')).json.error.code).toBe('INVALID_STATE');
});
