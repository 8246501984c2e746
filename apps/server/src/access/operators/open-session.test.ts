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
  const [session, device] = response.headers['set-cookie'] as unknown as string[];
  expect(session).toMatch(
    /^holdfast_session=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
  );
  expect(device).toMatch(
    /^holdfast_device=[\w.:~-]+; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Strict$/,
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
  expect(response.headers['set-cookie']).toEqual([
    expect.stringMatching(/^__Host-holdfast_session=.*Path=\/;.*; Secure$/),
    expect.stringMatching(/^__Host-holdfast_device=.*Path=\/;.*; Secure$/),
  ]);
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

it('refuses floods of one address, and of unknown devices at one account', async () => {
  const limits = { HOLDFAST_LOGIN_ATTEMPTS: '2', HOLDFAST_TRUSTED_PROXIES: '1' };
  const limited = await openWorld({ env: limits, clock });
  const who = await person(limited);
  const from = (host: number) => ({ 'x-forwarded-for': `192.0.2.${host}` });
  const wrong = (host: number, email = who.email) =>
    signIn(limited, { ...who, email }, { password: 'wrong', headers: from(host) });
  const signedIn = await signIn(limited, who, { headers: from(1) });
  const [, device = ''] = signedIn.headers['set-cookie'] as unknown as string[];
  const [cookie = ''] = device.split(';');
  const statusOf = async (person: typeof who, headers: Record<string, string>) => {
    clock.advance(30_000);
    return (await signIn(limited, person, { headers })).status;
  };
  // From many addresses: the whole account allows two tries, of which one was the owner's.
  expect([(await wrong(2)).status, (await wrong(3)).status]).toEqual([401, 429]);
  expect(await statusOf(who, from(4))).toBe(429);
  clock.advance(60_000);
  expect([(await wrong(5)).status, (await wrong(6)).status]).toEqual([401, 401]);
  // The owner's device signs in; a changed cookie, and one for another account, are outsiders.
  expect(await statusOf(who, { ...from(7), cookie: cookie.replace(/=\d/, '=9') })).toBe(429);
  const other = await person(limited);
  expect([(await wrong(8, other.email)).status, (await wrong(9, other.email)).status]).toEqual([
    401, 401,
  ]);
  expect(await statusOf(other, { ...from(10), cookie })).toBe(429);
  expect((await signIn(limited, who, { headers: { ...from(7), cookie } })).status).toBe(200);
  for (let tries = 0; tries < 20; tries += 1) await wrong(11, `${tries}@example.test`);
  expect((await wrong(11, 'another@example.test')).status).toBe(429);
  await limited.close();
});

describe('a refused sign-in in the audit log', () => {
  const refused = async () => {
    await world.app.refusedSignIns.flush();
    const rows = await world.rows<{ id: string; type: string; after: Refused; address: string }>(
      // Summed here too: the minute may have ended during the test.
      `select resource_id as id, resource_type as type, address, user_agent, result,
         marketplace_id::int as marketplace, jsonb_build_object('email', min(after->>'email'),
           'attempts', sum((after->>'attempts')::int)) as after
       from audit where action = 'SIGN_IN_REFUSED' group by 1, 2, 3, 4, 5, 6 order by min(id)`,
    );
    await world.rows(`delete from audit where action = 'SIGN_IN_REFUSED'`);
    return rows;
  };
  interface Refused {
    readonly attempts: number;
    readonly email?: string;
  }

  it('is summed by account and address, with addresses masked', async () => {
    await refused();
    const who = await person(world);
    const outsider = { ...who, email: 'Outsider@Example.test' };
    for (const _ of [1, 2, 3]) await signIn(world, who, { code: '000000' });
    await signIn(world, outsider);
    expect((await signIn(world, who)).status).toBe(200);
    const rows = await refused();
    const common = { marketplace: 0, address: '127.0.0.1', user_agent: 'a browser' };
    expect(rows).toMatchObject([
      { ...common, id: who.id, type: 'Operator', result: 'FAILURE', after: { attempts: 3 } },
      { ...common, type: 'SignIn', after: { attempts: 1, email: 'o•••@e•••.test' } },
    ]);
    expect(JSON.stringify(rows).toLowerCase()).not.toContain('outsider@');
  });

  it('names the operator of the session whose code was wrong', async () => {
    await refused();
    const who = await person(world, { isPlatformAdmin: true });
    const desk = await deskOf(world, who);
    const { status } = await desk.send('POST', `/operators/${who.id}/reset`, {
      body: { totp: '000000' },
    });
    expect(status).toBe(401);
    expect(await refused()).toMatchObject([{ id: who.id, after: { attempts: 1 } }]);
  });

  it('is one of at most sixty rows in a flood, and none is uncounted', async () => {
    await refused();
    const client = { address: '192.0.2.1', userAgent: null };
    for (let at = 0; at < 500; at += 1)
      world.app.refusedSignIns.record({
        flow: 'operator',
        accountId: undefined,
        email: `x${at}@example.test`,
        client,
        requestId: `flood-${at}`,
      });
    const rows = await refused();
    expect(rows).toHaveLength(60);
    expect(rows.at(-1)).toMatchObject({ id: 'others', address: null, after: { attempts: 441 } });
    expect(rows.reduce((sum, { after }) => sum + after.attempts, 0)).toBe(500);
  });
});
