//! The cells of the matrix: an operation under a fault, and its expected result.

/** Faults of a call, as the sandbox names them; `never` is ours: no submission gets through. */
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
  /** The result of the first call, with its own lookup. */
  readonly first: Classification;
  /** The result of the last call: the adapter was called until the outcome was known. */
  readonly final: Classification;
  readonly calls: number;
  /** How often the sandbox's journal shows the effect. */
  readonly effects: number;
}

const SUBMITTED = ['deploy', 'fund', 'status', 'approve', 'release', 'dispute', 'resolve'];
const PAYMENTS = ['payin.create', 'payin.cancel', 'payout.create', 'payout.commit'];

/** `never` needs an expiry, which only signed envelopes have. */
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

/** The expected result of a fault: the first call, the last call, and the number of effects. */
export function expectationOf(cell: Cell): Omit<Result, keyof Cell | 'calls'> {
  const { provider, operation, fault } = cell;
  // The reply to the submission is lost each time; only the lookup of a later call finds the
  // outcome.
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
      // A signed envelope sent without a reply has an unknown outcome for the caller, even if a
      // lookup would find it a moment later.
      return { first: provider === 'payment' ? 'done' : 'unknown', final: 'done', effects: 1 };
    default:
      return { first: 'done', final: 'done', effects: 1 };
  }
}

export function isAsExpected(result: Result): boolean {
  const { first, final, effects } = expectationOf(result);
  return result.first === first && result.final === final && result.effects === effects;
}
