//! A phrase for each step of each saga. The names of steps are stored, so they stay; readers see
//! these words instead.

/** `#` stands for the number of a milestone, a page or a transfer. */
// biome-ignore format: a table.
export const STEP_WORDS = {
  // An order's contract: deploy, find, fund, settle.
  deploy: 'deploy the contract',
  contract: 'look up the deployed contract',
  fetch: 'read the record from the provider',
  await: 'wait for the contract ID',
  deployed: 'record the deployed contract',
  read: 'read the contract',
  'read-again': 'read the contract again',
  'cover-#': 'transfer to the buyer’s address',
  fund: 'fund the contract',
  funded: 'record the funded escrow',
  'complete-#': 'mark milestone # as completed in the contract',
  'approve-#': 'approve milestone # in the contract',
  release: 'release funds',
  'release-#': 'release funds for milestone #',
  // The contract pays parties other than by a release only from its state of dispute.
  dispute: 'prepare the contract for payout',
  'dispute-#': 'prepare milestone # for payout',
  resolve: 'pay out funds',
  'resolve-#': 'pay out funds for milestone #',
  settle: 'post the settlement',
  // The checkout of a project, over the operations above.
  wallets: 'wait for the parties’ wallets',
  'request-escrow': 'request the escrow',
  'follow-deployment': 'wait for the contract',
  'request-funding': 'request funding',
  'follow-funding': 'wait for funding',
  // A top-up or a payout at the payment provider, or a payout over the network.
  create: 'create the record at the provider',
  created: 'record the creation',
  commit: 'send the payout',
  sent: 'record the payout status',
  pay: 'pay over the blockchain',
  paid: 'record the blockchain payment',
  cancel: 'cancel the record at the provider',
  canceled: 'record the cancellation',
  refused: 'record the rejection',
  // A reconciliation run.
  'balance-before': 'read the provider balance before the comparison',
  'payins-#': 'compare pay-ins, page #',
  'payins-unmet-#': 'look up missing pay-ins, page #',
  'payouts-#': 'compare payouts, page #',
  'payouts-unmet-#': 'look up missing payouts, page #',
  unconfirmed: 'list unconfirmed money',
  'balance-after': 'read the provider balance after the comparison',
  'house-payment_provider': 'record the provider balance difference',
  'addresses-#': 'compare user addresses, page #',
  'contracts-#': 'compare contracts, page #',
  'abandoned-#': 'compare abandoned contracts, page #',
  treasury: 'compare the treasury',
  end: 'end the run',
} as const;

type Numbered<Name> = Name extends `${infer Start}-#` ? Start : never;

/** A step that a saga takes once for each milestone, page or transfer. */
export type NumberedStep = Numbered<keyof typeof STEP_WORDS>;

/** A step without a phrase does not compile: sagas accept only these names. */
export type StepName = Exclude<keyof typeof STEP_WORDS, `${string}#`> | `${NumberedStep}-${number}`;

const PHRASES: ReadonlyMap<string, string> = new Map(Object.entries(STEP_WORDS));

/** As "release funds for milestone 2" for release-2; a name of an older build stays as it is. */
export function stepWords(name: string): string {
  const number = /\d+$/.exec(name)?.[0];
  const phrase = PHRASES.get(number === undefined ? name : name.replace(/\d+$/, '#'));
  return phrase?.replace('#', number ?? '') ?? name;
}
