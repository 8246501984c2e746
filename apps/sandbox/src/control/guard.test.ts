import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSandbox, type Sandbox } from '../testing/payment-sandbox.ts';
import { checkCaller, isLoopback } from './guard.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.stop());

/** Not `fetch`: it sets these headers itself. */
function status(path: string, method: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(`${sandbox.url}${path}`, { method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    call.once('error', reject);
    call.end();
  });
}

describe('control', () => {
  it.each(['127.0.0.1', '127.9.8.7', '::1', '::ffff:127.0.0.1'])(
    'accepts calls from %s',
    (address) => {
      expect(isLoopback(address)).toBe(true);
    },
  );

  it.each(['10.0.0.1', '128.0.0.1', '::ffff:10.0.0.1', '2001:db8::1', '', '1127.0.0.1'])(
    'refuses calls from %s',
    (address) => {
      expect(isLoopback(address)).toBe(false);
    },
  );

  it('refuses requests of pages from other sites, and under another host name', async () => {
    const { host } = new URL(sandbox.url);
    const reset = (headers: Record<string, string>) => status('/control/reset', 'POST', headers);
    expect(await reset({ host, origin: 'https://evil.example' })).toBe(403);
    expect(await reset({ host, origin: 'null' })).toBe(403);
    expect(await reset({ host: 'evil.example', origin: 'http://evil.example' })).toBe(403);
    expect(await reset({ host, origin: `http://${host}` })).toBe(200);
    expect(await reset({ host })).toBe(200);
  });

  it('guards the home page and every route alike', async () => {
    const host = 'evil.example';
    for (const path of ['/', '/control/state', '/control/journal', '/control/webhooks'])
      expect(await status(path, 'GET', { host })).toBe(403);
  });
});

describe('control of a sandbox that is shared under a name', () => {
  const from = (remoteAddress: string, host: string, origin?: string) =>
    ({ socket: { remoteAddress }, headers: { host, origin } }) as unknown as IncomingMessage;

  it('accepts calls from other machines under that name, and under local ones', () => {
    for (const host of ['sandbox:4500', '127.0.0.1:4500'])
      expect(() => checkCaller(from('172.18.0.5', host), 'sandbox:4500')).not.toThrow();
  });

  it('refuses any other name, pages of other sites, and other machines where it is not shared', () => {
    const page = 'http://page.example';
    expect(() => checkCaller(from('172.18.0.5', 'page.example'), 'sandbox:4500')).toThrow(/local/);
    expect(() => checkCaller(from('172.18.0.5', 'sandbox:4500', page), 'sandbox:4500')).toThrow(
      /cross-origin/,
    );
    expect(() => checkCaller(from('172.18.0.5', '127.0.0.1:4500'))).toThrow(/this machine/);
  });
});
