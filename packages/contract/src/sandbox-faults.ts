//! What the sandbox can be told to fail at, and how, for people who choose: in the command line and
//! in the test lab. The sandbox is the world outside and shares no code with us; a test compares.

// biome-ignore format: a table is the one thing exempt from the line limit.
export const FAULT_KINDS = {
  reject: 'refused for good: the ledger shows FAILED, the provider says no; nothing took effect',
  'error-before': 'answers 500 and does nothing',
  'error-after': 'does it, then answers 500',
  'drop-before': 'cuts the connection and does nothing',
  'drop-after': 'does it, then cuts the connection',
  slow: 'does it, and answers only after 40 seconds',
  garbage: 'does it, then answers something unreadable',
  'no-contract-id': 'does it, does not tell the contract id, and sends its webhook 2 s late',
  stale: 'answers as it was before: a transaction is not there yet, a contract has no money yet',
  'duplicate-webhook': 'sends the next webhook three times',
  'reorder-webhooks': 'holds the next webhook back until another one has been sent',
  'drop-webhook': 'loses the next webhook',
} as const;

export const FAULT_OPERATIONS: Readonly<Record<string, readonly string[]>> = {
  escrow: [
    ...['deploy', 'fund', 'status', 'approve', 'release', 'dispute', 'resolve'],
    ...['read', 'webhook'],
  ],
  payment: ['payin.create', 'payin.cancel', 'payout.create', 'payout.commit', 'webhook'],
  ledger: ['submit', 'lookup'],
};
