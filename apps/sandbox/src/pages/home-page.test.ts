import { Script } from 'node:vm';
import { Keypair } from '@stellar/stellar-sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readState, type WorldState } from '../control/state.ts';
import { openEscrowWorld } from '../testing/escrow-world.ts';
import { aPayin, aPayout, openSandbox, type Sandbox, send } from '../testing/payment-sandbox.ts';
import { homeSections } from './home-page.ts';
import { HOME_SCRIPT } from './home-script.ts';

let sandbox: Sandbox;
const address = Keypair.random().publicKey();
const names: Record<string, string> = {};

beforeAll(async () => {
  sandbox = await openSandbox();
  const { api, control } = sandbox;
  await control('POST', '/payment', { payoutDelaySeconds: null });
  names['payin'] = (await api('POST', '/payins', aPayin())).json.id;
  names['waiting'] = (await api('POST', '/payouts', aPayout({ commit: true }))).json.code;
  const done = (await api('POST', '/payouts', aPayout({ commit: true }))).json;
  await control('POST', `/payouts/${done.code}`, { status: 'COMPLETED' });
  names['done'] = done.code;
  await control('POST', '/faults', {
    provider: 'payment',
    operation: 'payout.commit',
    kind: 'drop-after',
    times: 2,
  });
  sandbox.world.ledger.ensureAccount(address, { hasUsdc: true });
  await control('POST', '/ledger/deposit', { address, asset: 'USDC', amount: '1250.5' });
  await control('POST', '/clock/advance', { seconds: 7_200 });
});
afterAll(() => sandbox.stop());

const HTML = { accept: 'text/html' };
const page = () => send('GET', `${sandbox.url}/`, undefined, HTML);
const sections = () => send('GET', `${sandbox.url}/control/state`, undefined, HTML);

describe('the state of the world', () => {
  it('has everything in one JSON', async () => {
    const { json } = await sandbox.control('GET', '/state');
    const state = json as unknown as WorldState;
    expect(state.clock.offsetMs).toBe(7_200_000);
    expect(state.counts).toMatchObject({ accounts: 4, payins: 1, payouts: 2, contracts: 0 });
    expect(state.accounts[0]).toEqual({ address, name: null, xlm: '100', usdc: '1250.5' });
    expect(state.accounts.map(({ name }) => name)).toEqual([
      null,
      'escrow provider',
      'USDC issuer',
      'root',
    ]);
    expect(state.payins[0]).toMatchObject({
      amount: '50.25',
      status: 'CREATED',
      paymentPage: `${sandbox.url}/payin/${names['payin']}`,
    });
    expect(state.payouts[0]).toMatchObject({ code: names['done'], status: 'COMPLETED' });
    expect(state.balance).toEqual({ available: '999959.90', pending: '20.05' });
    expect(state.faults).toHaveLength(1);
    expect(state.journal[0]?.effect).toMatch(/^ledger\./);
  });
});

describe('the home page', () => {
  it('shows it all, with the way to the payment page and buttons for what is open', async () => {
    const { status, text, headers } = await page();
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toContain(`href="/payin/${names['payin']}"`);
    expect(text).toContain(`action="/control/payouts/${names['waiting']}"`);
    expect(text).not.toContain(`action="/control/payouts/${names['done']}"`);
    for (const part of ['1,250.5 USDC', '$999,959.90', '2 hours ahead', 'payout.commit'])
      expect(text).toContain(part);
    expect(text).not.toMatch(/(src|href)="https?:/);
  });

  it('runs its own script and no other, and the script can be read', async () => {
    const { text, headers } = await page();
    expect(text).toContain(`<script>${HOME_SCRIPT}</script>`);
    expect(headers.get('content-security-policy')).toMatch(/script-src 'sha256-[^']+'/);
    expect(() => new Script(HOME_SCRIPT)).not.toThrow();
  });

  it('has a place for every section that it is sent later', async () => {
    const idsIn = (text: string) =>
      [...text.matchAll(/<div id="(\w+)" data-live>/g)].map(([, id]) => id).sort();
    const later = await sections();
    expect(later.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(idsIn(later.text)).toHaveLength(8);
    expect(idsIn((await page()).text)).toEqual(idsIn(later.text));
  });
});

describe('a contract on the home page', () => {
  it('shows balance, flags and milestones, and escapes what people wrote', async () => {
    const escrow = await openEscrowWorld();
    const { buyer, world } = escrow;
    const contractId = await escrow.deploy('single-release', escrow.singleBody({ title: '<i>A' }));
    const signer = buyer.publicKey();
    const funding = { contractId, signer, amount: 60.5 };
    await escrow.act('/escrow/single-release/fund-escrow', funding, buyer);
    const approval = { contractId, milestoneIndex: '0', approver: signer };
    await escrow.act('/escrow/single-release/approve-milestone', approval, buyer);
    await escrow.act('/escrow/single-release/dispute-escrow', { contractId, signer }, buyer);
    escrow.server.close();
    const state = readState(world);
    expect(state.contracts).toEqual([
      {
        contractId,
        orderId: 'ord_1',
        title: '<i>A',
        type: 'single-release',
        total: '100',
        balance: '60.5',
        flags: { disputed: true, released: false, resolved: false },
        milestones: [expect.objectContaining({ description: 'whole', approved: true })],
      },
    ]);
    const { text } = homeSections(state);
    for (const part of ['60.5 of 100 USDC', '&lt;i&gt;A', 'whole', '>approved<', '>disputed<'])
      expect(text).toContain(part);
    expect(text).not.toContain('>released<');
    expect(text).not.toContain('<i>');
  });
});
