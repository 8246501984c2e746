//! The life cycle of a database's lineage: what has become of the last writes before its present
//! history, as a worker checks it.
import { defineMachine, type MoveOf, type StateOf } from '#machine';

// biome-ignore format: a table is the one thing exempt from the line limit.
export const lineageMachine = defineMachine({
  name: 'lineage',
  initial: 'OPEN',
  inFlight: [],
  states: {
    OPEN:     'Nothing is missing that could be sent again. Everything works.',
    PROMOTED: 'A standby took over, and the last second of writes may be missing. Payouts, transfers between our own addresses, deposits and new wallets wait until the recovery has looked for them.',
    REWOUND:  'The database was set back. Reads work; writes return 503 RECOVERING, and nothing is sent until the recovery has found what was forgotten and two platform admins have opened it.',
  },
  moves: {
    promote: { from: ['OPEN'],                to: 'PROMOTED', emits: [], description: 'The server is another one, and no writes are known to be missing.' },
    rewind:  { from: ['OPEN', 'PROMOTED'],    to: 'REWOUND',  emits: [], description: 'Restate has a newer mark than the database, or none for a server that is another one; or an account of the house on the network has used a sequence number that no stored envelope has.' },
    open:    { from: ['PROMOTED', 'REWOUND'], to: 'OPEN',     emits: [], description: 'By the recovery, when a promoted database has forgotten nothing; otherwise by two platform admins.' },
  },
});

export type LineageState = StateOf<typeof lineageMachine>;
export type LineageMove = MoveOf<typeof lineageMachine>;
