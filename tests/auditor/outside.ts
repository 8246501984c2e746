//! What the world outside shows beside its journal: payments of the network, webhooks that arrived,
//! and, when all is at rest, what addresses, contracts and the payment provider hold.

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

/** Taken in by the service: it was answered 2xx. */
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
  /** Network fees by who paid them, in stroops. */
  readonly fees: readonly { readonly address: string; readonly stroops: string }[];
  /** What the payment provider holds for us, and what of it the house has put in. */
  readonly provider: { readonly balance: string; readonly deposited: string };
}

export interface Outside {
  readonly payments: readonly NetworkPayment[];
  readonly webhooks: readonly ArrivedWebhook[];
  /** Read only where nothing moves any more: else it is another world with every look. */
  readonly atRest?: AtRest | undefined;
}

/** Each as a table; its value is that part of the outside as JSON. */
export const PAYMENTS = (value: number) => `jsonb_to_recordset($${value}::jsonb)
  as paid (operation text, part int, hash text, "from" text, "to" text, asset text, amount numeric)`;
export const WEBHOOKS = (value: number) => `jsonb_to_recordset($${value}::jsonb)
  as arrived (provider text, event text, body text)`;
export const HOLDINGS = (value: number) => `jsonb_to_recordset($${value}::jsonb)
  as held (address text, asset text, amount numeric)`;
export const FEES = (value: number) => `jsonb_to_recordset($${value}::jsonb)
  as charged (address text, stroops numeric)`;

/** The hash of whatever we signed; what a fee bump carries has one of its own. */
export const SIGNED = `(select hash from envelope
  union all select inner_hash from envelope where inner_hash is not null)`;

/**
 * Every address that is ours; payments are the first value. The house's are not taken from a list
 * of the service: they are those that sign, that pay by what we signed, or serve our contracts.
 */
export const OWN = `(select address, 'user' as place from wallet where address is not null
  union select provider_contract_id, 'contract' from contract
  union select address, 'house' from (select source as address from envelope
      union select platform_address from escrow union select resolver_address from escrow
      union select paid."from" from ${PAYMENTS(1)} where paid.hash in ${SIGNED}) house
    where not exists (select from wallet where wallet.address = house.address)
      and not exists (select from contract where provider_contract_id = house.address)) own`;

export const NOT_AT_REST = 'not checked: no --sandbox, or no --converged';
