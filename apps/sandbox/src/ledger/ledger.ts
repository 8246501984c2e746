//! The ledger network: balances of accounts and contracts, changed only by transactions.
import {
  Asset,
  type Keypair,
  Operation,
  Account as Sequence,
  StrKey,
  TransactionBuilder,
  type xdr,
} from '@stellar/stellar-sdk';
import type { WorldClock } from '../clock.ts';
import type { Journal } from '../journal.ts';
import type { Store } from '../store.ts';
import { AMOUNT_MAX, readAmount } from './amount.ts';
import { type Applied, applyEnvelope } from './apply.ts';
import { Archive, TRANSACTIONS } from './archive.ts';
import { buildCall, type CallRequest, transferCall } from './build-call.ts';
import { type CallOutcome, callContract, usdcOf } from './calls.ts';
import { findFault, type LedgerHead } from './checks.ts';
import type { AppliedTransaction, ContractHost } from './contract.ts';
import { type Envelope, type Invocation, readEnvelope } from './envelope.ts';
import { BASE_FEE, describeNetwork, type Network } from './network.ts';
import { addLine } from './operations.ts';
import type { TransactionRecord } from './record.ts';
import type { ResultCodes } from './results.ts';
import { signHash } from './signatures.ts';
import { ACCOUNTS, type Account, Draft, type Reads, readStore } from './state.ts';

const HEAD = 'ledger.head';
const ROOT_STROOPS = 50_000_000_000n * 10_000_000n;
const ISSUER_STROOPS = 1_000_000n * 10_000_000n;

export type SubmitOutcome =
  /** It is part of the ledger, successful or FAILED; `isRepeat` when it already was. */
  | { readonly kind: 'included'; readonly record: TransactionRecord; readonly isRepeat: boolean }
  /** It never became part of the ledger: no fee, no sequence, no trace. */
  | {
      readonly kind: 'invalid';
      readonly hash: string;
      readonly codes: ResultCodes;
      readonly resultXdr: string;
    };

export interface LedgerDeps {
  readonly store: Store;
  readonly clock: WorldClock;
  readonly journal: Journal;
  readonly networkPassphrase: string;
}

export class Ledger {
  readonly network: Network;
  readonly #deps: LedgerDeps;
  readonly #reads: Reads;
  readonly #hosts: ContractHost[] = [];
  /** Hashes whose return value is kept back once: the fault `no-contract-id`. */
  readonly withheld = new Set<string>();
  readonly #listeners = new Set<(applied: AppliedTransaction) => void>();
  #archive: Archive;
  /** Numbers continue after a reset, so that no cursor lies in the future. */
  #latest = 1;

  constructor(deps: LedgerDeps) {
    this.#deps = deps;
    this.network = describeNetwork(deps.networkPassphrase);
    this.#reads = readStore(deps.store);
    this.#archive = this.#start();
  }

  register(host: ContractHost): void {
    this.#hosts.push(host);
  }

  hostOf(contractId: string): ContractHost | undefined {
    return this.#hosts.find((host) => host.knows(contractId));
  }

  /** Calls the listener after each included transaction. Returns a function that stops it. */
  onApplied(listener: (applied: AppliedTransaction) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** An idle ledger closes once a second, so that its time advances without transactions. */
  head(): LedgerHead {
    this.#sync();
    const head = this.#deps.store.get<LedgerHead>(HEAD, 'head') as LedgerHead;
    const idle = Math.max(0, this.#seconds() - head.closeTime);
    this.#latest = head.number + idle;
    return { number: this.#latest, closeTime: head.closeTime + idle };
  }

  get archive(): Archive {
    this.#sync();
    return this.#archive;
  }

  account(address: string): Account | undefined {
    this.#sync();
    return this.#reads.account(address);
  }

  /** Stroops of USDC held by an account (G…) or a contract (C…). */
  usdcOf(address: string): bigint {
    this.#sync();
    return usdcOf(this.#reads, this.network.usdcKey, address);
  }

  /** By its own hash, or by the hash of what a fee bump carries. */
  find(hash: string): TransactionRecord | undefined {
    return this.archive.find(hash);
  }

  /** Throws MalformedEnvelope. */
  read(envelopeXdr: string): Envelope {
    return readEnvelope(envelopeXdr, this.network.id);
  }

  /** Applies it at once, in a ledger of its own; the same envelope again changes nothing. */
  submit(envelope: string | Envelope, { isRejected = false } = {}): SubmitOutcome {
    const read = typeof envelope === 'string' ? this.read(envelope) : envelope;
    const known = this.find(read.hash);
    if (known !== undefined) return { kind: 'included', record: known, isRepeat: true };
    const head = this.head();
    const next = { number: head.number + 1, closeTime: head.closeTime };
    const fault = findFault(read, this.#reads, next);
    if (fault !== undefined)
      return { kind: 'invalid', hash: read.hash, codes: fault.codes, resultXdr: fault.xdr };
    const { network } = this;
    const context = { network, hosts: this.#hosts, reads: this.#reads, next, isRejected };
    const applied = applyEnvelope(read, context);
    this.#deps.store.commit([
      [HEAD, 'head', next],
      ...applied.changes,
      [TRANSACTIONS, read.hash, applied.record],
      ...this.#deps.journal.record(...applied.effects),
    ]);
    this.#archive.add(applied.record);
    this.#notify(applied);
    return { kind: 'included', record: applied.record, isRepeat: false };
  }

  /** Simulates a call. Throws ContractError with the contract's sentence. */
  simulate(source: string, invocation: Invocation, txHash = ''): CallOutcome {
    const { closeTime } = this.head();
    const [network, hosts, draft] = [this.network, this.#hosts, new Draft(this.#reads)];
    const context = { network, hosts, draft, closeTime, source, txHash, isSimulation: true };
    return callContract(context, invocation);
  }

  /** An unsigned transaction that calls a contract, as the escrow provider hands it out. */
  buildCall(request: CallRequest): string {
    const source = this.account(request.source);
    if (source === undefined) throw new Error(`account ${request.source} is not there`);
    return buildCall(request, source.sequence, this.head().closeTime, this.network);
  }

  /** Money from nowhere, by a transaction like any other: USDC from its issuer, XLM from root. */
  deposit(address: string, asset: string, amount: string): TransactionRecord {
    const { root, issuer, usdc } = this.network;
    if (asset !== 'XLM' && asset !== 'USDC') throw new Error(`no asset ${asset} on this ledger`);
    if (asset === 'XLM') {
      if (this.account(address) === undefined) return this.fund(address, amount);
      const native = Asset.native();
      return this.#act(root, Operation.payment({ destination: address, asset: native, amount }));
    }
    if (StrKey.isValidContract(address)) {
      const stroops = readAmount(amount);
      const request = transferCall(this.network, issuer.publicKey(), address, stroops);
      return this.#signAndSubmit(issuer, this.buildCall(request));
    }
    return this.#act(issuer, Operation.payment({ destination: address, asset: usdc, amount }));
  }

  /** As friendbot does: makes the account, or pays it when it is there. */
  fund(address: string, xlm: string): TransactionRecord {
    if (this.account(address) !== undefined) return this.deposit(address, 'XLM', xlm);
    const operation = Operation.createAccount({ destination: address, startingBalance: xlm });
    return this.#act(this.network.root, operation);
  }

  /** A change without a payment, such as a clawback by the issuer: only the balance differs. */
  drift(address: string, asset: 'USDC' | 'XLM', stroops: bigint): Account {
    const account = this.account(address);
    const line = account?.lines[this.network.usdcKey];
    if (account === undefined || (asset === 'USDC' && line === undefined))
      throw new Error(`${address} holds no ${asset}`);
    const balance = (asset === 'XLM' ? account.balance : (line?.balance ?? 0n)) + stroops;
    if (balance < 0n) throw new Error(`${address} holds less ${asset} than that`);
    const draft = new Draft(this.#reads);
    if (asset === 'XLM' || line === undefined) draft.update(address, { balance });
    else
      draft.update(address, {
        lines: { ...account.lines, [this.network.usdcKey]: { ...line, balance } },
      });
    this.#deps.store.commit(draft.changes(this.head().number));
    return this.account(address) as Account;
  }

  /** An account whose key is elsewhere: its trustline is added without a signature. */
  ensureAccount(address: string, { xlm = '100', hasUsdc = false } = {}): Account {
    if (this.account(address) === undefined) this.fund(address, xlm);
    const { usdcKey } = this.network;
    if (hasUsdc && this.account(address)?.lines[usdcKey] === undefined) {
      const draft = new Draft(this.#reads);
      addLine(draft, address, usdcKey, AMOUNT_MAX);
      this.#deps.store.commit(draft.changes(this.head().number));
    }
    return this.account(address) as Account;
  }

  #act(keypair: Keypair, operation: xdr.Operation): TransactionRecord {
    const address = keypair.publicKey();
    const sequence = String(this.account(address)?.sequence);
    const builder = new TransactionBuilder(new Sequence(address, sequence), {
      fee: String(BASE_FEE),
      networkPassphrase: this.network.passphrase,
      timebounds: { minTime: 0, maxTime: 0 },
    });
    return this.#signAndSubmit(keypair, builder.addOperation(operation).build().toXdr());
  }

  #signAndSubmit(keypair: Keypair, unsigned: string): TransactionRecord {
    const tx = TransactionBuilder.fromXdr(unsigned, this.network.passphrase);
    tx.addDecoratedSignature(signHash(keypair, tx.hash()));
    const outcome = this.submit(tx.toXdr());
    const codes = outcome.kind === 'invalid' ? outcome.codes : outcome.record.codes;
    if (outcome.kind === 'invalid' || !outcome.record.isSuccessful)
      throw new Error(`the ledger refused: ${JSON.stringify(codes)}`);
    return outcome.record;
  }

  #notify({ record, effects }: Applied): void {
    const { hash, innerHash, ledger, closeTime, isSuccessful } = record;
    const call = record.call && { ...record.call, effects };
    for (const listener of this.#listeners)
      listener({ hash, innerHash, ledger, closeTime, isSuccessful, call });
  }

  #seconds(): number {
    return Math.floor(this.#deps.clock.now() / 1000);
  }

  /** Another component may have emptied the store; then the ledger starts again. */
  #sync(): void {
    if (this.#deps.store.get(HEAD, 'head') === undefined) this.#archive = this.#start();
  }

  #start(): Archive {
    const { store } = this.#deps;
    if (store.get(HEAD, 'head') === undefined) {
      const { root, issuer } = this.network;
      store.commit([
        [HEAD, 'head', { number: this.#latest + 1, closeTime: this.#seconds() }],
        [ACCOUNTS, root.publicKey(), firstAccount(root.publicKey(), ROOT_STROOPS)],
        [ACCOUNTS, issuer.publicKey(), firstAccount(issuer.publicKey(), ISSUER_STROOPS)],
      ]);
    }
    return new Archive(store);
  }
}

function firstAccount(address: string, balance: bigint): Account {
  const sequence = { sequence: 0n, sequenceLedger: 0, sequenceTime: 0 };
  const sponsoring = { numSponsoring: 0, numSponsored: 0 };
  return { address, ...sequence, balance, lines: {}, ...sponsoring, lastLedger: 2 };
}
