import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aPayin, aPayout, clients, send, until } from '../testing/payment-sandbox.ts';
import { openReceiver } from '../testing/receiver.ts';

const MAIN = `${import.meta.dirname}/../main.ts`;

let folder: string;
/** Like a crash: no component is stopped in order. */
let kill: () => Promise<void>;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
});
afterEach(async () => {
  await kill();
  rmSync(folder, { recursive: true, force: true });
});

async function start(): Promise<ReturnType<typeof clients> & { url: string }> {
  const flags = ['--conditions=@holdfast/source', MAIN, '--port', '0', '--data', folder];
  const child = spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { listening: url } = JSON.parse(line) as { listening: string };
  return { url, ...clients(url) };
}

describe('a world that is killed', () => {
  it('resumes after its restart: due times, balance, codes and clock', async () => {
    const before = await start();
    await before.control('POST', '/payment', { payoutDelaySeconds: 600, payinDelaySeconds: 600 });
    await before.control('POST', '/clock/advance', { seconds: 5_000 });
    const payout = (await before.api('POST', '/payouts', aPayout({ commit: true }))).json;
    const paid = (await before.api('POST', '/payins', aPayin())).json;
    const open = (await before.api('POST', '/payins', aPayin())).json;
    await send('POST', `${before.url}/payin/${paid.id}/confirm`);
    await kill();

    const after = await start();
    const status = async (path: string) => (await after.api('GET', path)).json.status;
    expect((await after.control('GET', '/clock')).json.offsetMs).toBe(5_000_000);
    expect(await status(`/payouts/${payout.id}`)).toBe('PENDING');
    expect(await status(`/payins/by-code/${paid.code}`)).toBe('PROCESSING');
    expect((await after.api('GET', '/me/balance')).json.pending).toBe(20.05);
    const again = await after.api('POST', '/payins', aPayin({ code: open.code }));
    expect(again.json.code).toBe('415029');
    await after.control('POST', '/clock/advance', { seconds: 600 });
    expect(await status(`/payouts/${payout.id}`)).toBe('COMPLETED');
    expect(await status(`/payins/${paid.id}`)).toBe('CONFIRMED');
    expect(await status(`/payins/${open.id}`)).toBe('CREATED');
    await after.control('POST', '/clock/advance', { seconds: 15 * 86_400 });
    expect(await status(`/payins/${open.id}`)).toBe('CANCELED');
  });

  it('runs what fell due during its downtime without a call, and sends the webhook', async () => {
    const receiver = await openReceiver();
    const secret = 'whsec_c2VjcmV0';
    const before = await start();
    await before.control('POST', '/payment', { payoutDelaySeconds: 3_600 });
    await before.control('POST', '/webhooks', { payment: { url: receiver.url, secret } });
    await before.api('POST', '/payouts', aPayout({ commit: true }));
    await until(() => receiver.types().includes('payout.pending'), 'the payout pending');
    await kill();
    expect(receiver.types()).not.toContain('payout.completed');
    // An hour passes while the process is down: the store as a real hour would leave it.
    appendFileSync(join(folder, 'world.jsonl'), '[["clock","offsetMs",3600000]]\n');
    await start();
    await until(() => receiver.types().includes('payout.completed'), 'the payout completed');
    await receiver.stop();
  });

  it('sends after its restart the webhook that no receiver had taken', async () => {
    const receiver = await openReceiver();
    receiver.status = 500;
    const before = await start();
    const payment = { url: receiver.url, secret: 'whsec_c2VjcmV0' };
    await before.control('POST', '/webhooks', { payment });
    await before.api('POST', '/payouts', aPayout());
    await until(() => receiver.received.length > 0, 'a first attempt');
    await kill();
    receiver.status = 200;
    const count = receiver.received.length;
    const after = await start();
    await until(() => receiver.received.length > count, 'another attempt');
    expect(receiver.received.at(-1)?.body).toBe(receiver.received[0]?.body);
    const isDelivered = async () => {
      const { webhooks } = (await after.control('GET', '/webhooks')).json;
      return webhooks[0]?.status === 'delivered';
    };
    await until(isDelivered, 'a delivered webhook');
    await receiver.stop();
  });
});
