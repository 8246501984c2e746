//! External state beside the journal: network payments and acknowledged webhooks. For an idle
//! service also the holdings of addresses, contracts and the payment provider.

/** One transfer of a network operation; a contract can make many. Amounts are decimal text. */
export interface NetworkPayment {
  readonly operation: string;
  readonly part: number;
  readonly hash: string;
  readonly from: string;
  readonly to: string;
  readonly asset: 'USDC' | 'XLM';
  readonly amount: string;
}

/** A webhook that the service acknowledged with 2xx. */
export interface ArrivedWebhook {
  readonly provider: 'escrow-provider' | 'payment-provider';
  readonly event: string;
  readonly body: string;
}

export interface Holding {
  readonly address: string;
  readonly asset: 'USDC' | 'XLM';
  readonly amount: string;
}

export interface AtRest {
  readonly holdings: readonly Holding[];
  /** Network fees by payer, in stroops. */
  readonly fees: readonly { readonly address: string; readonly stroops: string }[];
  /** Our balance at the payment provider, and the house's own deposits in it. */
  readonly provider: { readonly balance: string; readonly deposited: string };
}

export interface ExternalState {
  readonly payments: readonly NetworkPayment[];
  readonly webhooks: readonly ArrivedWebhook[];
  /** Read only when the service is idle: otherwise every read returns another state. */
  readonly atRest?: AtRest | undefined;
}

/** Each as a table; its value is that part of the external state as JSON. */
export const PAYMENTS = (value: number) => `jsonb_to_recordset($${value}::jsonb)
  as paid (operation text, part int, hash text, "from" text, "to" text, asset text, amount numeric)`;
export const WEBHOOKS = (value: number) => `jsonb_to_recordset($${value}::jsonb)
  as arrived (provider text, event text, body text)`;
export const HOLDINGS = (value: number) => `jsonb_to_recordset($${value}::jsonb)
  as held (address text, asset text, amount numeric)`;
export const FEES = (value: number) => `jsonb_to_recordset($${value}::jsonb)
  as charged (address text, stroops numeric)`;

/** Hashes of everything we signed; a transaction inside a fee bump has its own hash. */
export const SIGNED = `(select hash from envelope
  union all select inner_hash from envelope where inner_hash is not null)`;

/**
 * All of our addresses; payments are the first value. The house's addresses do not come from a list
 * of the service: they are those that sign, pay by our signed transactions, or serve our contracts.
 */
export const OWN = `(select address, 'user' as place from wallet where address is not null
  union select provider_contract_id, 'contract' from contract
  union select address, 'house' from (select source as address from envelope
      union select platform_address from escrow union select resolver_address from escrow
      union select paid."from" from ${PAYMENTS(1)} where paid.hash in ${SIGNED}) house
    where not exists (select from wallet where wallet.address = house.address)
      and not exists (select from contract where provider_contract_id = house.address)) own`;

export const NOT_AT_REST = 'not part of this check: requires the sandbox and an idle service';
