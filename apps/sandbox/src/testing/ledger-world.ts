//! For tests: the ledger over loopback, the unmodified SDK in front of it, a contract to call.
import {
  Account,
  Address,
  type Asset,
  BASE_FEE,
  Contract,
  Horizon,
  Keypair,
  Operation,
  rpc,
  StrKey,
  type Transaction,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk';
import {
  type ContractCall,
  ContractError,
  type ContractHost,
  type ContractResult,
} from '../ledger/contract.ts';
import { serveHorizon } from '../ledger/horizon.ts';
import { serveRpc } from '../ledger/rpc.ts';
import { openWorld, type World } from '../world.ts';

export interface LedgerWorld {
  readonly world: World;
  readonly url: string;
  readonly horizon: Horizon.Server;
  readonly rpc: rpc.Server;
  readonly usdc: Asset;
  readonly stop: () => Promise<void>;
  /** A new account with XLM. */
  readonly openWallet: (xlm?: string) => Keypair;
  /** A new account without any XLM, with a trustline that the sponsor pays for. */
  readonly openSponsored: (sponsor: Keypair) => Promise<Keypair>;
  /** A transaction of the first signer, valid for a minute, signed by all. */
  readonly build: (
    signers: readonly [Keypair, ...Keypair[]],
    operations: readonly xdr.Operation[],
    changes?: { fee?: string; sequenceAhead?: bigint; maxTime?: number; minTime?: number },
  ) => Transaction;
}

export async function openLedgerWorld(folder?: string): Promise<LedgerWorld> {
  const world = openWorld(folder === undefined ? {} : { folder });
  world.ledger.register(new Vault(world));
  serveHorizon(world);
  serveRpc(world);
  const { server, url } = await world.router.listen(0);
  const { network } = world.ledger;
  const horizon = new Horizon.Server(`${url}/horizon`, { allowHttp: true });
  const build: LedgerWorld['build'] = (signers, operations, changes = {}) => {
    const address = signers[0].publicKey();
    const sequence =
      (world.ledger.account(address)?.sequence ?? 0n) + (changes.sequenceAhead ?? 0n);
    const builder = new TransactionBuilder(new Account(address, String(sequence)), {
      fee: changes.fee ?? BASE_FEE,
      networkPassphrase: network.passphrase,
      timebounds: {
        minTime: changes.minTime ?? 0,
        maxTime: changes.maxTime ?? world.ledger.head().closeTime + 60,
      },
    });
    for (const operation of operations) builder.addOperation(operation);
    const tx = builder.build();
    tx.sign(...signers);
    return tx;
  };
  return {
    world,
    url,
    horizon,
    rpc: new rpc.Server(`${url}/rpc`, { allowHttp: true }),
    usdc: network.usdc,
    build,
    openWallet(xlm = '100') {
      const keypair = Keypair.random();
      world.ledger.fund(keypair.publicKey(), xlm);
      return keypair;
    },
    async openSponsored(sponsor) {
      const user = Keypair.random();
      await horizon.submitTransaction(
        build([sponsor, user], sponsoredAccount(user.publicKey(), network.usdc)),
      );
      return user;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => {
          world.store.close();
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

/** Four operations of the sponsor; the new account signs too. */
export function sponsoredAccount(address: string, asset: Asset): xdr.Operation[] {
  return [
    Operation.beginSponsoringFutureReserves({ sponsoredId: address }),
    Operation.createAccount({ destination: address, startingBalance: '0' }),
    Operation.changeTrust({ asset, source: address }),
    Operation.endSponsoringFutureReserves({ source: address }),
  ];
}

export const VAULT: string = StrKey.encodeContract(Buffer.alloc(32, 7));

/** Takes money in, counts how often, can be shut. */
class Vault implements ContractHost {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  knows(contractId: string): boolean {
    return contractId === VAULT;
  }

  operationOf(functionName: string): string | undefined {
    return functionName === 'store' ? 'fund' : undefined;
  }

  invoke({ functionName, args, source, txHash, view }: ContractCall): ContractResult {
    if (functionName === 'break') throw new ContractError('The vault is shut');
    const stroops = args[0]?.type === 'scvU32' ? BigInt(args[0].value) : 0n;
    view.moveUsdc(source, VAULT, stroops);
    const count = (this.#world.store.get<number>('vault', 'count') ?? 0) + 1;
    const topics = [xdr.ScVal.scvSymbol('stored'), new Address(source).toScVal()];
    return {
      returnValue: xdr.ScVal.scvU32(count),
      changes: [['vault', 'count', count]],
      effects: [{ effect: 'vault.store', contractId: VAULT, txHash, from: source }],
      events: [{ contractId: VAULT, topics, data: xdr.ScVal.scvU32(count) }],
    };
  }
}

export function storeCall(stroops: number): xdr.Operation {
  return new Contract(VAULT).call('store', xdr.ScVal.scvU32(stroops));
}

export function hashOf(tx: { hash(): Uint8Array }): string {
  return Buffer.from(tx.hash()).toString('hex');
}
