//! The state of the ledger, and a draft of it whose changes are applied together or not at all.
import type { Change, Store } from '../store.ts';
import { BASE_RESERVE } from './network.ts';

export interface Trustline {
  readonly balance: bigint;
  readonly limit: bigint;
  /** The account that pays for its reserve, when it is not the holder. */
  readonly sponsor?: string;
}

export interface Account {
  readonly address: string;
  readonly sequence: bigint;
  /** When the sequence was last used. */
  readonly sequenceLedger: number;
  readonly sequenceTime: number;
  readonly balance: bigint;
  /** By asset key, CODE:ISSUER. */
  readonly lines: Readonly<Record<string, Trustline>>;
  /** Entries of the account's own: a name, and base64. */
  readonly data?: Readonly<Record<string, string>>;
  readonly numSponsoring: number;
  readonly numSponsored: number;
  readonly sponsor?: string;
  readonly lastLedger: number;
}

export const ACCOUNTS = 'ledger.account';
/** USDC held by contracts. */
export const TOKENS = 'ledger.token';

export function subentriesOf({ lines, data = {} }: Account): number {
  return Object.keys(lines).length + Object.keys(data).length;
}

/** The minimum balance: half an XLM for each entry that the account has on the ledger. */
function reserveOf(account: Account): bigint {
  const things = 2 + subentriesOf(account) + account.numSponsoring - account.numSponsored;
  return BigInt(things) * BASE_RESERVE;
}

export function spendableOf(account: Account): bigint {
  return account.balance - reserveOf(account);
}

export interface Reads {
  account(address: string): Account | undefined;
  token(contractId: string): bigint;
}

export function readStore(store: Store): Reads {
  return {
    account: (address) => store.get<Account>(ACCOUNTS, address),
    token: (contractId) => store.get<bigint>(TOKENS, contractId) ?? 0n,
  };
}

/** Changes laid over the ledger or over another draft; null is an account that is gone. */
export class Draft implements Reads {
  readonly #under: Reads;
  readonly #accounts = new Map<string, Account | null>();
  readonly #tokens = new Map<string, bigint>();

  constructor(under: Reads) {
    this.#under = under;
  }

  account(address: string): Account | undefined {
    const own = this.#accounts.get(address);
    return own === undefined ? this.#under.account(address) : (own ?? undefined);
  }

  token(contractId: string): bigint {
    return this.#tokens.get(contractId) ?? this.#under.token(contractId);
  }

  put(account: Account): void {
    this.#accounts.set(account.address, account);
  }

  update(address: string, change: Partial<Account>): Account {
    const found = this.account(address);
    if (found === undefined) throw new Error(`account ${address} is not there`);
    const changed = { ...found, ...change };
    this.#accounts.set(address, changed);
    return changed;
  }

  remove(address: string): void {
    this.#accounts.set(address, null);
  }

  putToken(contractId: string, stroops: bigint): void {
    this.#tokens.set(contractId, stroops);
  }

  /** Makes this draft's changes part of the draft under it. */
  mergeInto(under: Draft): void {
    for (const [address, account] of this.#accounts) under.#accounts.set(address, account);
    for (const [contractId, stroops] of this.#tokens) under.#tokens.set(contractId, stroops);
  }

  changes(ledger: number): Change[] {
    const accounts = [...this.#accounts].map(
      ([address, account]): Change => [
        ACCOUNTS,
        address,
        account === null ? null : { ...account, lastLedger: ledger },
      ],
    );
    const tokens = [...this.#tokens].map(([id, stroops]): Change => [TOKENS, id, stroops]);
    return [...accounts, ...tokens];
  }
}
