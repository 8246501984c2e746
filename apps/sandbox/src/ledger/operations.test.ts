import { Asset, Keypair, Operation, type xdr } from '@stellar/stellar-sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LedgerWorld, openLedgerWorld, sponsoredAccount } from '../testing/ledger-world.ts';

let here: LedgerWorld;
let root: Keypair;

beforeAll(async () => {
  here = await openLedgerWorld();
  root = here.openWallet('10000');
});
afterAll(() => here.stop());

function codes(signers: readonly [Keypair, ...Keypair[]], ...operations: xdr.Operation[]) {
  const outcome = here.world.ledger.submit(here.build(signers, operations).toXdr());
  return outcome.kind === 'included' ? outcome.record.codes : outcome.codes;
}

function failsWith(...operations: string[]) {
  return { transaction: 'tx_failed', operations };
}

const DONE = { transaction: 'tx_success' };

function pay(to: Keypair, asset: Asset, amount: string) {
  return Operation.payment({ destination: to.publicKey(), asset, amount });
}

function trust(asset: Asset, limit?: string) {
  return Operation.changeTrust({ asset, ...(limit !== undefined && { limit }) });
}

function holder(usdc?: string): Keypair {
  const keypair = here.openWallet();
  expect(codes([keypair], trust(here.usdc))).toMatchObject(DONE);
  if (usdc !== undefined) here.world.ledger.deposit(keypair.publicKey(), 'USDC', usdc);
  return keypair;
}

describe('createAccount', () => {
  const create = (to: Keypair, startingBalance: string) =>
    Operation.createAccount({ destination: to.publicKey(), startingBalance });

  it('op_already_exists, op_low_reserve, op_underfunded', () => {
    const fresh = Keypair.random();
    expect(codes([root], create(holder(), '5'))).toEqual(failsWith('op_already_exists'));
    expect(codes([root], create(fresh, '0.9999999'))).toEqual(failsWith('op_low_reserve'));
    expect(codes([root], create(fresh, '10000'))).toEqual(failsWith('op_underfunded'));
    expect(codes([root], create(fresh, '1'))).toMatchObject(DONE);
  });

  it('a new account starts at its ledger’s number, so that no old transaction is valid', () => {
    const fresh = Keypair.random();
    codes([root], create(fresh, '1'));
    const number = BigInt(here.world.ledger.head().number);
    const sequence = here.world.ledger.account(fresh.publicKey())?.sequence ?? 0n;
    expect(sequence & 0xffffffffn).toBe(0n);
    expect(number - (sequence >> 32n)).toBeLessThan(5n);
  });
});

describe('payment', () => {
  it('op_no_destination, op_no_trust, op_src_no_trust, op_underfunded, op_line_full', () => {
    const rich = holder('10');
    const bare = here.openWallet();
    const narrow = here.openWallet();
    codes([narrow], trust(here.usdc, '3'));
    expect(codes([rich], pay(Keypair.random(), here.usdc, '1'))).toEqual(
      failsWith('op_no_destination'),
    );
    expect(codes([rich], pay(bare, here.usdc, '1'))).toEqual(failsWith('op_no_trust'));
    expect(codes([bare], pay(rich, here.usdc, '1'))).toEqual(failsWith('op_src_no_trust'));
    expect(codes([rich], pay(narrow, here.usdc, '3.0000001'))).toEqual(failsWith('op_line_full'));
    expect(codes([rich], pay(narrow, here.usdc, '3'))).toMatchObject(DONE);
    expect(codes([rich], pay(holder(), here.usdc, '7.0000001'))).toEqual(
      failsWith('op_underfunded'),
    );
  });

  it('another issuer’s USDC is another asset', () => {
    const forger = here.openWallet();
    const false_ = new Asset('USDC', forger.publicKey());
    const victim = holder();
    expect(codes([forger], pay(victim, false_, '1000'))).toEqual(failsWith('op_no_trust'));
    codes([victim], trust(false_));
    expect(codes([forger], pay(victim, false_, '1000'))).toMatchObject(DONE);
    expect(here.world.ledger.usdcOf(victim.publicKey())).toBe(0n);
  });
});

describe('changeTrust', () => {
  it('op_no_issuer, op_low_reserve, op_invalid_limit, and the line goes when it is empty', () => {
    const unissued = new Asset('USDC', Keypair.random().publicKey());
    const full = holder('2');
    const poor = here.openWallet('1.4999');
    expect(codes([root], trust(unissued))).toEqual(failsWith('op_no_issuer'));
    expect(codes([poor], trust(here.usdc))).toEqual(failsWith('op_low_reserve'));
    expect(codes([root], trust(here.usdc, '0'))).toEqual(failsWith('op_invalid_limit'));
    expect(codes([full], trust(here.usdc, '1'))).toEqual(failsWith('op_invalid_limit'));
    expect(codes([full], trust(here.usdc, '0'))).toEqual(failsWith('op_invalid_limit'));
    codes(
      [full],
      Operation.payment({ destination: here.usdc.issuer ?? '', asset: here.usdc, amount: '2' }),
    );
    expect(codes([full], trust(here.usdc, '0'))).toMatchObject(DONE);
    expect(here.world.ledger.account(full.publicKey())?.lines).toEqual({});
  });
});

describe('sponsoring', () => {
  it('must end inside the transaction', () => {
    const user = Keypair.random();
    const open = sponsoredAccount(user.publicKey(), here.usdc).slice(0, 3);
    expect(codes([root, user], ...open)).toEqual({ transaction: 'tx_bad_sponsorship' });
    expect(here.world.ledger.account(user.publicKey())).toBeUndefined();
  });

  it('op_not_sponsored, op_already_sponsored, op_recursive', () => {
    const user = here.openWallet();
    const other = here.openWallet();
    const begin = (sponsored: Keypair, by: Keypair) =>
      Operation.beginSponsoringFutureReserves({
        sponsoredId: sponsored.publicKey(),
        source: by.publicKey(),
      });
    const end = Operation.endSponsoringFutureReserves({});
    expect(codes([root], end)).toEqual(failsWith('op_not_sponsored'));
    expect(codes([root], begin(user, root), begin(user, root))).toEqual(
      failsWith('op_success', 'op_already_sponsored'),
    );
    expect(codes([root, user], begin(user, root), begin(other, user))).toEqual(
      failsWith('op_success', 'op_recursive'),
    );
  });

  it('a sponsor that can’t lock the reserve gets op_low_reserve', () => {
    const poor = here.openWallet('2.4');
    const user = Keypair.random();
    const all = sponsoredAccount(user.publicKey(), here.usdc);
    expect(codes([poor, user], ...all)).toMatchObject({
      operations: ['op_success', 'op_success', 'op_low_reserve', 'op_success'],
    });
  });

  it('gives the reserve back when the account goes', async () => {
    const sponsor = here.openWallet();
    const user = await here.openSponsored(sponsor);
    const merge = Operation.accountMerge({
      destination: sponsor.publicKey(),
      source: user.publicKey(),
    });
    expect(codes([sponsor, user], merge)).toEqual(failsWith('op_has_sub_entries'));
    const drop = Operation.changeTrust({
      asset: here.usdc,
      limit: '0',
      source: user.publicKey(),
    });
    expect(codes([sponsor, user], drop)).toMatchObject(DONE);
    expect(here.world.ledger.account(sponsor.publicKey())?.numSponsoring).toBe(2);
    expect(codes([sponsor, user], merge)).toMatchObject(DONE);
    expect(here.world.ledger.account(sponsor.publicKey())?.numSponsoring).toBe(0);
    expect(here.world.ledger.account(user.publicKey())).toBeUndefined();
  });
});

it('shows the amount of a merge in its effects, as Horizon does', async () => {
  const [leaving, into] = [here.openWallet('30'), here.openWallet()];
  const merge = Operation.accountMerge({ destination: into.publicKey() });
  expect(codes([leaving], merge)).toMatchObject(DONE);
  const { records } = await here.horizon
    .payments()
    .forAccount(into.publicKey())
    .order('desc')
    .call();
  expect(records[0]).toMatchObject({ type: 'account_merge', into: into.publicKey() });
  const { records: effects } = await here.horizon
    .effects()
    .forOperation(records[0]?.id ?? '')
    .call();
  expect(effects.map(({ type, account }) => `${type} ${account}`)).toEqual([
    `account_debited ${leaving.publicKey()}`,
    `account_credited ${into.publicKey()}`,
    `account_removed ${leaving.publicKey()}`,
  ]);
  expect(effects[1]).toMatchObject({ asset_type: 'native', amount: '29.9999900' });
  await expect(here.horizon.effects().forOperation('77').call()).rejects.toThrow('Not Found');
});

it('manageData sets and drops an entry, which has a reserve', async () => {
  const keypair = here.openWallet('1.5000300');
  const set = (name: string, value: string | null) => Operation.manageData({ name, value });
  const dataOf = async () => (await here.horizon.loadAccount(keypair.publicKey())).data_attr;
  expect(codes([keypair], set('config.memo_required', '1'))).toMatchObject(DONE);
  expect(await dataOf()).toEqual({ 'config.memo_required': 'MQ==' });
  expect(codes([keypair], set('more', '1'))).toEqual(failsWith('op_low_reserve'));
  expect(codes([keypair], set('more', null))).toEqual(failsWith('op_data_name_not_found'));
  here.world.ledger.deposit(keypair.publicKey(), 'XLM', '1');
  expect(codes([keypair], set('config.memo_required', null))).toMatchObject(DONE);
  expect(await dataOf()).toEqual({});
});
