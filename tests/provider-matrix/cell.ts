//! What the matrix is made of: an operation under a fault, and what must come of it.

/** Faults that strike a call, as the sandbox names them; `never` is ours: nothing gets through. */
export const FAULTS = [
  'none',
  'reject',
  'error-before',
  'error-after',
  'drop-before',
  'drop-after',
  'slow',
  'garbage',
  'never',
] as const;

export type FaultName = (typeof FAULTS)[number] | 'no-contract-id';
export type Provider = 'escrow' | 'payment' | 'ledger';
export type Classification = 'done' | 'refused' | 'unknown';

export interface Cell {
  readonly provider: Provider;
  readonly operation: string;
  readonly fault: FaultName;
}

export interface Result extends Cell {
  /** Of the first call, with the look-up that it makes itself. */
  readonly first: Classification;
  /** Of the last call: the adapter was asked until it knew. */
  readonly final: Classification;
  readonly calls: number;
  /** How often the journal of the outside world shows the effect. */
  readonly effects: number;
}

const SUBMITTED = ['deploy', 'fund', 'status', 'approve', 'release', 'dispute', 'resolve'];
const PAYMENTS = ['payin.create', 'payin.cancel', 'payout.create', 'payout.commit'];

/** `never` needs an end in time, which only what is signed has. */
export const CELLS: readonly Cell[] = [
  ...SUBMITTED.flatMap((operation) => cellsOf('escrow', operation, FAULTS)),
  { provider: 'escrow', operation: 'deploy', fault: 'no-contract-id' },
  ...PAYMENTS.flatMap((operation) =>
    cellsOf(
      'payment',
      operation,
      FAULTS.filter((fault) => fault !== 'never'),
    ),
  ),
  ...cellsOf('ledger', 'submit', FAULTS),
  ...cellsOf(
    'ledger',
    'lookup',
    FAULTS.filter((fault) => fault !== 'never'),
  ),
];

function cellsOf(provider: Provider, operation: string, faults: readonly FaultName[]): Cell[] {
  return faults.map((fault) => ({ provider, operation, fault }));
}

/** What must come of a fault: how the first call and the last end, and how often it happened. */
export function expectationOf(cell: Cell): Omit<Result, keyof Cell | 'calls'> {
  const { provider, operation, fault } = cell;
  // The answer to sending is lost each time; only the look-up of a later call can tell.
  if (operation === 'lookup') return { first: 'unknown', final: 'done', effects: 1 };
  switch (fault) {
    case 'reject':
      return { first: 'refused', final: 'refused', effects: 0 };
    case 'never':
      return { first: 'unknown', final: 'refused', effects: 0 };
    case 'error-before':
    case 'drop-before':
      return { first: 'unknown', final: 'done', effects: 1 };
    case 'error-after':
    case 'drop-after':
    case 'slow':
    case 'garbage':
      // What was signed and sent without an answer is unknown to whoever waits, even if a look-up
      // would tell a moment later.
      return { first: provider === 'payment' ? 'done' : 'unknown', final: 'done', effects: 1 };
    default:
      return { first: 'done', final: 'done', effects: 1 };
  }
}

export function isAsExpected(result: Result): boolean {
  const { first, final, effects } = expectationOf(result);
  return result.first === first && result.final === final && result.effects === effects;
}
