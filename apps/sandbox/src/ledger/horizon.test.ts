import {
  Account,
  Asset,
  BadResponseError,
  type Horizon,
  Keypair,
  Memo,
  MuxedAccount,
  NotFoundError,
  Operation,
  TransactionBuilder,
} from '@stellar/stellar-sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  hashOf,
  type LedgerWorld,
  openLedgerWorld,
  sponsoredAccount,
} from '../testing/ledger-world.ts';

let here: LedgerWorld;

beforeAll(async () => {
  here = await openLedgerWorld();
});
afterAll(() => here.stop());

function usdcBalance(account: Horizon.AccountResponse): string | undefined {
  return account.balances.find((line) => 'asset_code' in line && line.asset_code === 'USDC')
    ?.balance;
}

async function usdcOf(keypair: Keypair): Promise<string | undefined> {
  return usdcBalance(await here.horizon.loadAccount(keypair.publicKey()));
}

/** Two users with trustlines, the first with 100 USDC. */
async function openPair(): Promise<{ sponsor: Keypair; ada: Keypair; bo: Keypair }> {
  const sponsor = here.openWallet();
  const ada = await here.openSponsored(sponsor);
  const bo = await here.openSponsored(sponsor);
  here.world.ledger.deposit(ada.publicKey(), 'USDC', '100');
  return { sponsor, ada, bo };
}

function payUsdc(to: string, amount: string, source?: string) {
  const asset = here.usdc;
  return Operation.payment({ destination: to, asset, amount, ...(source && { source }) });
}

describe('accounts', () => {
  it('an unknown account is NotFoundError, not an empty one', async () => {
    const load = here.horizon.loadAccount(Keypair.random().publicKey());
    await expect(load).rejects.toBeInstanceOf(NotFoundError);
  });

  it('a sponsored account holds no XLM and has a trustline; the sponsor is locked 1.5 XLM', async () => {
    const sponsor = here.openWallet('10');
    const user = Keypair.random();
    const tx = here.build([sponsor, user], sponsoredAccount(user.publicKey(), here.usdc));
    const response = await here.horizon.submitTransaction(tx);
    expect(response.hash).toBe(hashOf(tx));
    const account = await here.horizon.loadAccount(user.publicKey());
    expect(account.balances.map(({ balance }) => balance)).toEqual(['0.0000000', '0.0000000']);
    expect(account).toMatchObject({ num_sponsored: 3, sponsor: sponsor.publicKey() });
    const paying = await here.horizon.loadAccount(sponsor.publicKey());
    expect(paying.num_sponsoring).toBe(3);
    // 10 − fee − reserve of 1 + 1.5 = 7.49996: one stroop more can't be spent.
    const spend = (amount: string) => [
      Operation.payment({ destination: user.publicKey(), asset: Asset.native(), amount }),
    ];
    const over = here.horizon.submitTransaction(here.build([sponsor], spend('7.4999501')));
    await expect(over).rejects.toMatchObject({
      response: { data: { extras: { result_codes: { operations: ['op_underfunded'] } } } },
    });
    await here.horizon.submitTransaction(here.build([sponsor], spend('7.4999400')));
  });

  it('friendbot makes an account once', async () => {
    const keypair = Keypair.random();
    await here.horizon.friendbot(keypair.publicKey()).call();
    const account = await here.horizon.loadAccount(keypair.publicKey());
    expect(account.balances[0]?.balance).toBe('10000.0000000');
    await expect(here.horizon.friendbot(keypair.publicKey()).call()).rejects.toThrow();
  });
});

describe('payments', () => {
  it('moves USDC, charges 100 stroops for each operation, keeps the memo', async () => {
    const { sponsor, ada, bo } = await openPair();
    const before = here.world.ledger.account(sponsor.publicKey())?.balance ?? 0n;
    const account = await here.horizon.loadAccount(sponsor.publicKey());
    const tx = new TransactionBuilder(account, {
      fee: '5000',
      networkPassphrase: here.world.ledger.network.passphrase,
    })
      .addOperation(payUsdc(bo.publicKey(), '1.5', ada.publicKey()))
      .addOperation(payUsdc(bo.publicKey(), '0.0000001', ada.publicKey()))
      .addMemo(Memo.text('order 7'))
      .setTimeout(60)
      .build();
    tx.sign(sponsor, ada);
    const { hash } = await here.horizon.submitTransaction(tx);
    expect(await usdcOf(ada)).toBe('98.4999999');
    expect(await usdcOf(bo)).toBe('1.5000001');
    expect(before - (here.world.ledger.account(sponsor.publicKey())?.balance ?? 0n)).toBe(200n);
    const found = await here.horizon.transactions().transaction(hash).call();
    expect(found).toMatchObject({ memo_type: 'text', memo: 'order 7', fee_charged: '200' });
    const { records } = await here.horizon.payments().forTransaction(hash).call();
    expect(records).toMatchObject([{ amount: '1.5000000' }, { amount: '0.0000001' }]);
    await expect(here.horizon.payments().forTransaction('0'.repeat(64)).call()).rejects.toThrow();
    const effects = here.world.journal.entries().filter(({ txHash }) => txHash === hash);
    expect(effects).toMatchObject([
      { effect: 'ledger.payment', asset: 'USDC', amount: '1.5', from: ada.publicKey() },
      { effect: 'ledger.payment', asset: 'USDC', amount: '0.0000001', to: bo.publicKey() },
    ]);
  });

  it('a muxed address receives at its account, and the record names both', async () => {
    const { sponsor, ada, bo } = await openPair();
    const muxed = new MuxedAccount(new Account(bo.publicKey(), '0'), '4400');
    const pay = payUsdc(muxed.accountId(), '2', ada.publicKey());
    await here.horizon.submitTransaction(here.build([sponsor, ada], [pay]));
    expect(await usdcOf(bo)).toBe('2.0000000');
    const { records } = await here.horizon.payments().forAccount(bo.publicKey()).call();
    expect(records.at(-1)).toMatchObject({
      to: bo.publicKey(),
      to_muxed: muxed.accountId(),
      to_muxed_id: '4400',
    });
  });

  it('the same envelope again returns the same result and moves nothing', async () => {
    const { sponsor, ada, bo } = await openPair();
    const tx = here.build([sponsor, ada], [payUsdc(bo.publicKey(), '3', ada.publicKey())]);
    const first = await here.horizon.submitTransaction(tx);
    const entries = here.world.journal.entries().length;
    const second = await here.horizon.submitTransaction(tx);
    expect(second).toMatchObject({ hash: first.hash, ledger: first.ledger });
    expect(await usdcOf(bo)).toBe('3.0000000');
    expect(here.world.journal.entries()).toHaveLength(entries);
  });

  it('a failed transaction costs fee and sequence, none of its operations holds', async () => {
    const { sponsor, ada, bo } = await openPair();
    const { balance = 0n, sequence = 0n } = here.world.ledger.account(sponsor.publicKey()) ?? {};
    const tx = here.build(
      [sponsor, ada],
      [
        payUsdc(bo.publicKey(), '60', ada.publicKey()),
        payUsdc(bo.publicKey(), '60', ada.publicKey()),
      ],
    );
    await expect(here.horizon.submitTransaction(tx)).rejects.toMatchObject({
      response: {
        data: {
          extras: {
            result_codes: {
              transaction: 'tx_failed',
              operations: ['op_success', 'op_underfunded'],
            },
          },
        },
      },
    });
    expect(await usdcOf(bo)).toBe('0.0000000');
    expect(here.world.ledger.account(sponsor.publicKey())).toMatchObject({
      balance: balance - 200n,
      sequence: sequence + 1n,
    });
    const found = await here.horizon.transactions().transaction(hashOf(tx)).call();
    expect(found.successful).toBe(false);
    const { records } = await here.horizon.payments().forAccount(bo.publicKey()).call();
    expect(records.map(({ type }) => type)).toEqual(['create_account']);
  });
});

describe('fee bumps', () => {
  it('a user without XLM pays; both hashes find the transaction', async () => {
    const { sponsor, ada, bo } = await openPair();
    const inner = here.build([ada], [payUsdc(bo.publicKey(), '5')]);
    const bump = TransactionBuilder.buildFeeBumpTransaction(
      sponsor,
      '200',
      inner,
      here.world.ledger.network.passphrase,
    );
    bump.sign(sponsor);
    const before = here.world.ledger.account(sponsor.publicKey())?.balance ?? 0n;
    const { hash } = await here.horizon.submitTransaction(bump);
    expect(hash).toBe(hashOf(bump));
    expect(await usdcOf(bo)).toBe('5.0000000');
    expect(before - (here.world.ledger.account(sponsor.publicKey())?.balance ?? 0n)).toBe(200n);
    const byInner = await here.horizon.transactions().transaction(hashOf(inner)).call();
    expect(byInner).toMatchObject({
      hash: hashOf(inner),
      fee_account: sponsor.publicKey(),
      fee_bump_transaction: { hash },
      inner_transaction: { hash: hashOf(inner) },
    });
    // The inner envelope by itself is the same transaction: it is not applied a second time.
    await here.horizon.submitTransaction(inner);
    expect(await usdcOf(bo)).toBe('5.0000000');
  });

  it('return the result codes of the inner transaction', async () => {
    const { sponsor, ada, bo } = await openPair();
    const { passphrase } = here.world.ledger.network;
    const bumpOf = (inner: Parameters<typeof TransactionBuilder.buildFeeBumpTransaction>[2]) => {
      const bump = TransactionBuilder.buildFeeBumpTransaction(sponsor, '200', inner, passphrase);
      bump.sign(sponsor);
      return here.horizon.submitTransaction(bump);
    };
    const codes = (result_codes: object) => ({ response: { data: { extras: { result_codes } } } });
    const late = here.build([ada], [payUsdc(bo.publicKey(), '1')], { sequenceAhead: 5n });
    await expect(bumpOf(late)).rejects.toMatchObject(
      codes({ transaction: 'tx_fee_bump_inner_failed', inner_transaction: 'tx_bad_seq' }),
    );
    const poor = here.build([ada], [payUsdc(bo.publicKey(), '101')]);
    await expect(bumpOf(poor)).rejects.toMatchObject(
      codes({
        transaction: 'tx_fee_bump_inner_failed',
        inner_transaction: 'tx_failed',
        operations: ['op_underfunded'],
      }),
    );
    expect(await usdcOf(bo)).toBe('0.0000000');
  });
});

describe('a response that is lost', () => {
  it('is 504 after the transaction was applied; its hash finds it', async () => {
    const { sponsor, ada, bo } = await openPair();
    here.world.faults.arm({
      provider: 'ledger',
      operation: 'submit',
      kind: 'error-after',
      times: 1,
    });
    const tx = here.build([sponsor, ada], [payUsdc(bo.publicKey(), '4', ada.publicKey())]);
    const error = await here.horizon.submitTransaction(tx).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(BadResponseError);
    expect(error).toMatchObject({ response: { status: 504, data: { title: 'Timeout' } } });
    const found = await here.horizon.transactions().transaction(hashOf(tx)).call();
    expect(found.successful).toBe(true);
    await here.horizon.submitTransaction(tx);
    expect(await usdcOf(bo)).toBe('4.0000000');
  });
});
