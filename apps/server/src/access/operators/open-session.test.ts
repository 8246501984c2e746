import { manualClock } from '@holdfast/kernel/clock';
import { describe, expect, it } from 'vitest';
import { deskOf, PASSWORD, person, signIn, tokenIn } from '../../testing/operators.ts';
import { useWorld } from '../../testing/use-world.ts';
import { openWorld } from '../../testing/world.ts';
import { totpCode } from './totp.ts';

const clock = manualClock(Date.now());
const world = useWorld({ clock });

it('accepts password and code, and sets a cookie for this site, hidden from scripts', async () => {
  const who = await person(world, { isPlatformAdmin: true });
  const response = await signIn(world, who);
  expect(response.status, response.text).toBe(200);
  expect(response.headers['set-cookie']).toMatch(
    /^holdfast_session=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
  );
  expect(response.text).not.toContain(tokenIn(response));
  expect(response.json.data.data).toMatchObject({
    operator: { id: who.id, email: who.email, isPlatformAdmin: true, memberships: [] },
    idleSeconds: 1800,
  });
  const rows = await world.rows('select token_hash from operator_session where operator_id = $1', [
    who.id,
  ]);
  expect(JSON.stringify(rows)).not.toContain(tokenIn(response));
});

it('binds the cookie to its host over https', async () => {
  const safe = await openWorld({ env: { HOLDFAST_PUBLIC_URL: 'https://pay.example.test' } });
  const who = await person(safe);
  const response = await signIn(safe, who, { headers: { origin: 'https://pay.example.test' } });
  expect(response.headers['set-cookie']).toMatch(/^__Host-holdfast_session=.*Path=\/;.*; Secure$/);
  await safe.close();
});

it('returns the same for a wrong mail, password or code, and for a disabled operator', async () => {
  const [who, disabled] = [await person(world), await person(world)];
  await world.send('PUT', `/operators/${disabled.id}/status`, {
    key: world.masterKey,
    body: { status: 'DISABLED' },
  });
  const responses = await Promise.all([
    signIn(world, who, { password: `${PASSWORD}!` }),
    signIn(world, who, { code: '000000' }),
    signIn(world, { ...who, email: 'unknown@example.test' }),
    signIn(world, disabled),
  ]);
  expect(responses.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
  expect(responses[0]?.json.error.code).toBe('SIGN_IN_REFUSED');
  for (const { headers } of responses) expect(headers).not.toHaveProperty('set-cookie');
});

it('hashes as long for an unknown address as for a known one', async () => {
  const who = await person(world);
  // Processor time, including the hashing thread, so that a busy machine does not matter.
  const spent = async (email: string) => {
    const before = process.cpuUsage();
    await signIn(world, { ...who, email }, { password: 'wrong' });
    return process.cpuUsage(before).user;
  };
  const [known, unknown]: [number[], number[]] = [[], []];
  for (let tries = 0; tries < 3; tries += 1) {
    known.push(await spent(who.email));
    unknown.push(await spent('another-unknown@example.test'));
  }
  expect(Math.min(...unknown)).toBeGreaterThan(Math.min(...known) / 3);
});

describe('a code at sign-in', () => {
  it('is taken once, and none before it', async () => {
    const who = await person(world);
    const now = clock.now();
    const [earlier, code] = [totpCode(who.totpSecret, now - 30_000), totpCode(who.totpSecret, now)];
    expect((await signIn(world, who, { code })).status).toBe(200);
    expect((await signIn(world, who, { code })).status).toBe(401);
    expect((await signIn(world, who, { code: earlier })).status).toBe(401);
    clock.advance(30_000);
    expect((await signIn(world, who)).status).toBe(200);
  });

  it('lets one in when two sign in with it at once', async () => {
    const who = await person(world);
    const responses = await Promise.all([signIn(world, who), signIn(world, who)]);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(1);
  });
});

it('creates a new session each time, with any cookie in the request', async () => {
  const who = await person(world);
  const first = await deskOf(world, who);
  clock.advance(30_000);
  const cookie = `${world.app.operators.cookieName}=${first.token}`;
  const second = tokenIn(await signIn(world, who, { headers: { cookie } }));
  expect(second).toMatch(/^[\w-]{43}$/);
  expect(second).not.toBe(first.token);
  const planted = { cookie: `${world.app.operators.cookieName}=${'x'.repeat(43)}` };
  clock.advance(30_000);
  expect(tokenIn(await signIn(world, who, { headers: planted }))).not.toBe('x'.repeat(43));
  expect((await first.send('GET', '/operators/me', { headers: planted })).status).toBe(401);
});

it('is refused for another site', async () => {
  const who = await person(world);
  for (const headers of [
    { origin: 'https://evil.example.test' },
    { 'sec-fetch-site': 'cross-site' },
    { origin: 'null' },
  ]) {
    const { status, json } = await signIn(world, who, { headers });
    expect([status, json.error.code]).toEqual([403, 'CSRF_REQUIRED']);
  }
});

it('refuses a flood against one account, and from one address', async () => {
  const limited = await openWorld({ env: { HOLDFAST_LOGIN_ATTEMPTS: '2' } });
  const who = await person(limited);
  const wrong = () => signIn(limited, who, { password: 'wrong' });
  const responses = [await wrong(), await wrong(), await wrong()];
  expect(responses.map(({ status }) => status)).toEqual([401, 401, 429]);
  expect((await signIn(limited, who)).json.error.code).toBe('RATE_LIMITED');
  const other = await person(limited);
  expect((await signIn(limited, other)).status).toBe(200);
  for (let tries = 0; tries < 20; tries += 1)
    await signIn(limited, { ...who, email: `${tries}@example.test` }, { password: 'wrong' });
  expect((await signIn(limited, await person(limited))).status).toBe(429);
  await limited.close();
});
