// T41: no seed, data key or key-encryption key appears in written data: the database, logs, errors,
// sent requests.
import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { newId } from '@holdfast/kernel/ids';
import { Keypair } from '@stellar/stellar-sdk/base';
import pg from 'pg';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { insertHouseWallet } from '../../accounts/custody/house-wallet.ts';
import { useParties } from '../../testing/parties.ts';
import { replaceArg, scAmount } from '../../testing/tamper.ts';
import { useWorld } from '../../testing/use-world.ts';
import type { EscrowStep } from '../escrow/escrow-provider.ts';
import { settleEnvelope } from '../network/settle-envelope.ts';
import { type KeyWrapper, localKeyWrapper } from './key-wrapper.ts';
import type { SealedWallet, StepSigning } from './signer.ts';
import { vaultSigner } from './signer.vault.ts';
import { sealSeed } from './wallet-seal.ts';

const { sandbox, parties } = useParties();
const world = useWorld();

const keyEncryptionKey = randomBytes(32);
const dataKeys: Buffer[] = [];
const written: string[] = [];

/** Remembers every data key that passes, so that the scan can search for it. */
function watched(wrapper: KeyWrapper): KeyWrapper {
  return {
    ...wrapper,
    wrap: (dataKey, context) => {
      dataKeys.push(Buffer.from(dataKey));
      return wrapper.wrap(dataKey, context);
    },
  };
}

function watchedLog() {
  return pino({ level: 'trace' }, { write: (line: string) => void written.push(line) });
}

/** An error as a careless handler would print it. */
async function failing(work: () => Promise<unknown>): Promise<void> {
  try {
    written.push(inspect(await work(), { depth: 9 }));
  } catch (error) {
    const { message, stack } = error as Error;
    const fields = Object.getOwnPropertyDescriptors(error);
    written.push(message, stack ?? '', inspect(error, { depth: 9 }), inspect(fields, { depth: 9 }));
  }
}

/** Every row of every table as text; bytes come as hex. */
async function dumpDatabase(url: string): Promise<string[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(`
      select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')`);
    const texts: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(`select t::text as row from ${name} t`);
      texts.push(...rows.map(({ row }) => row));
    }
    return texts;
  } finally {
    await client.end();
  }
}

/** Searches all written texts, also inside base64 at any alignment. */
function holds(texts: readonly string[], secret: Buffer): string[] {
  const hex = secret.toString('hex');
  const forms = [
    hex,
    hex.toUpperCase(),
    secret.toString('base64'),
    secret.toString('base64url'),
    secret.toString('latin1'),
    Keypair.fromRawEd25519Seed(secret).secret(),
    inspect(secret).slice(8, 60),
    [...secret].join(','),
  ];
  return texts.filter((text) => {
    const encoded = text.match(/[A-Za-z0-9+/_-]{40,}={0,2}/g) ?? [];
    const decoded = encoded.map((one) => Buffer.from(one, 'base64').toString('hex'));
    return [text, ...decoded].some((one) => forms.some((form) => one.includes(form)));
  });
}

it('writes no seed or key anywhere', async () => {
  const seed = randomBytes(32);
  const { address } = await plant(seed);
  const texts = [...written, ...(await dumpDatabase(world.databaseUrl))];
  // The scan must be able to find a planted seed, and must have texts to search.
  expect(holds(['nothing', `seed ${seed.toString('hex')}`], seed)).toHaveLength(1);
  expect(holds([Buffer.concat([randomBytes(7), seed]).toString('base64')], seed)).toHaveLength(1);
  expect(texts.filter((text) => text.includes(address)).length).toBeGreaterThan(2);
  expect(dataKeys.length).toBeGreaterThanOrEqual(2);
  for (const secret of [seed, keyEncryptionKey, ...dataKeys])
    expect(holds(texts, secret)).toEqual([]);
});

/** Uses a wallet with a known seed: it is stored, signs, is refused, and fails to open. */
async function plant(seed: Buffer): Promise<SealedWallet> {
  const log = watchedLog();
  const keys = `v1:${keyEncryptionKey.toString('base64')}`;
  const keyWrapper = watched(localKeyWrapper(keys));
  const signer = vaultSigner({ ...parties.settings, keyWrapper, log });
  const address = Keypair.fromRawEd25519Seed(seed).publicKey();
  const wallet = await sealSeed(keyWrapper, newId('wal', Date.now()), address, seed);
  const fresh = await signer.newWallet(newId('wal', Date.now()));
  const { pool, clock } = world.worker;
  await insertHouseWallet(pool, clock, { ...wallet, kind: 'resolver', number: 1 });
  await insertHouseWallet(pool, clock, { ...fresh, kind: 'resolver', number: 2 });
  await sandbox.fund(address);

  const terms = parties.terms();
  const step: EscrowStep = { step: 'deploy', signer: address, terms };
  const built = await parties.adapters.escrow.build(step);
  if (built.kind !== 'done') throw new Error(built.reason);
  const time = await parties.adapters.network.closeTime();
  const now = time.kind === 'done' ? time.value : 0;
  const signing: StepSigning = { wallet, step, unsignedXdr: built.value.xdr, now, purpose: 'op_1' };
  const app = { ...world.worker, log, network: parties.adapters.network };
  const { call } = await world.market();
  const settled = await settleEnvelope(app, call, 'op_1', () => signer.signStep(signing));
  expect(settled.kind).toBe('done');
  written.push(inspect(signer), inspect(wallet, { depth: 9 }), JSON.stringify(wallet));

  const unsignedXdr = replaceArg(built.value.xdr, [4, 0, 'amount'], () => scAmount(1n));
  await failing(() => signer.signStep({ ...signing, unsignedXdr }));
  await failing(() =>
    signer.signStep({ ...signing, wallet: { ...wallet, id: newId('wal', Date.now()) } }),
  );
  const sealedSeed = Buffer.from(wallet.sealedSeed).fill(0, 20, 24);
  await failing(() => signer.signStep({ ...signing, wallet: { ...wallet, sealedSeed } }));
  const other = vaultSigner({
    ...parties.settings,
    keyWrapper: localKeyWrapper(`v1:${randomBytes(32).toString('base64')}`),
    log,
  });
  await failing(() => other.signStep(signing));
  await failing(() => sealSeed(keyWrapper, newId('wal', Date.now()), parties.buyer.address, seed));
  await failing(() => sealSeed(keyWrapper, newId('wal', Date.now()), address, seed.subarray(1)));
  await failing(async () => localKeyWrapper(`v1:${keyEncryptionKey.toString('hex')}`));
  return wallet;
}
