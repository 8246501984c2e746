import { Keypair } from '@stellar/stellar-sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSandbox, type Sandbox } from '../testing/payment-sandbox.ts';

let sandbox: Sandbox;
const address = Keypair.random().publicKey();

beforeEach(async () => {
  sandbox = await openSandbox();
  sandbox.world.ledger.ensureAccount(address, { hasUsdc: true });
  await sandbox.control('POST', '/payment', { payoutDelaySeconds: 86_400 });
});
afterEach(() => sandbox.stop());

const account = (fields: object = {}) =>
  sandbox.api('POST', '/crypto-accounts', {
    type: 'stellar usdc',
    currency: 'USDC',
    alias: 'treasury',
    address,
    ...fields,
  });
const balance = async () => (await sandbox.api('GET', '/me/balance')).json;
const read = async (id: string) => (await sandbox.api('GET', `/withdrawals/${id}`)).json;
const passADay = () => sandbox.control('POST', '/clock/advance', { seconds: 86_400 });

describe('a withdrawal', () => {
  it('moves the enterprise balance to an address on the ledger', async () => {
    const externalAccountId = (await account({ memo: 'float' })).json.id;
    const created = await sandbox.api('POST', '/withdrawals', {
      amount: 1234.5,
      externalAccountId,
    });
    expect(created.json).toMatchObject({ status: 'CREATED', amount: 1234.5, externalAccountId });
    expect(await balance()).toEqual({ available: 998_765.5, pending: 1234.5 });
    expect(sandbox.world.ledger.usdcOf(address)).toBe(0n);
    await passADay();
    expect(await read(created.json.id)).toMatchObject({ status: 'COMPLETED', amount: 1234.5 });
    expect(sandbox.world.ledger.usdcOf(address)).toBe(12_345_000_000n);
    expect(await balance()).toEqual({ available: 998_765.5, pending: 0 });
    const { items } = (await sandbox.api('GET', '/withdrawals')).json;
    expect(items.map(({ id }) => id)).toEqual([created.json.id]);
  });

  it('fails where the ledger takes no USDC, and the balance has it back', async () => {
    const before = await balance();
    const bare = Keypair.random().publicKey();
    await sandbox.control('POST', '/ledger/fund', { address: bare, xlm: '10' });
    const externalAccountId = (await account({ address: bare })).json.id;
    const { id } = (await sandbox.api('POST', '/withdrawals', { amount: 5, externalAccountId }))
      .json;
    await passADay();
    const failed = await read(id);
    expect(failed.status).toBe('FAILED');
    expect(failed['failureReason']).toMatch(/trust/);
    expect(await balance()).toEqual(before);
  });

  it('needs a known account and enough balance', async () => {
    const unknownAccount = { amount: 5, externalAccountId: 'unknown' };
    expect((await sandbox.api('POST', '/withdrawals', unknownAccount)).json.code).toBe('415902');
    const externalAccountId = (await account()).json.id;
    const much = { amount: 2_000_000, externalAccountId };
    expect((await sandbox.api('POST', '/withdrawals', much)).json.code).toBe('415016');
    expect((await sandbox.api('GET', '/withdrawals/unknown')).json.code).toBe('415902');
  });
});

describe('an account for withdrawals', () => {
  it('needs a valid Stellar address, and USDC as currency', async () => {
    expect((await account()).json).toMatchObject({ id: expect.any(String), address });
    for (const fields of [{ address: 'G123' }, { type: 'bitcoin' }, { currency: 'XLM' }, { x: 1 }])
      expect((await account(fields)).json.code).toBe('415906');
  });
});

describe('the deposits', () => {
  it('show where the balance came from', async () => {
    const { items } = (await sandbox.api('GET', '/deposits')).json;
    expect(items).toEqual([{ id: expect.any(String), status: 'COMPLETED', amount: 1_000_000 }]);
    expect((await sandbox.api('GET', `/deposits/${items[0]?.id}`)).json).toEqual(items[0]);
    expect((await sandbox.api('GET', '/deposits/unknown')).json.code).toBe('415902');
  });
});
