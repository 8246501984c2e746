//! The faults that the sandbox can inject, described for users of the command line and the test
//! lab. The sandbox shares no code with Holdfast; a test compares the two lists.

// biome-ignore format: a table is the one thing exempt from the line limit.
export const FAULT_KINDS = {
  reject: 'rejects the call permanently, without effect',
  'error-before': 'responds with HTTP 500 and does not execute the call',
  'error-after': 'executes the call, then responds with HTTP 500',
  'drop-before': 'closes the connection and does not execute the call',
  'drop-after': 'executes the call, then closes the connection',
  slow: 'executes the call, but responds after 40 seconds',
  garbage: 'executes the call, then responds with an unreadable body',
  'no-contract-id': 'executes the call, omits the contract id, and sends the webhook 2 s late',
  stale: 'responds with outdated state, such as a missing transaction or an unfunded contract',
  'duplicate-webhook': 'sends the next webhook three times',
  'reorder-webhooks': 'sends the next two webhooks in reverse order',
  'drop-webhook': 'drops the next webhook',
} as const;

export const FAULT_OPERATIONS: Readonly<Record<string, readonly string[]>> = {
  escrow: [
    ...['deploy', 'fund', 'status', 'approve', 'release', 'dispute', 'resolve'],
    ...['read', 'webhook'],
  ],
  payment: [
    ...['payin.create', 'payin.cancel', 'payout.create', 'payout.commit', 'payout.cancel'],
    'webhook',
  ],
  ledger: ['submit', 'lookup'],
};
