//! A state as a coloured word; the word alone carries the meaning.
import { ENTRY_WORDS } from '@holdfast/contract/entry-words';

type Tone = 'good' | 'busy' | 'warn' | 'bad' | 'quiet';

const TONES: readonly (readonly [RegExp, Tone])[] = [
  [
    /FAIL|BREACH|ESCALATED|REJECTED|SUSPENDED|DISABLED|EXPIRED|REFUSED|REWOUND|_LOST$|^down$|critical/,
    'bad',
  ],
  [
    /DISPUTED|UNDER_REVIEW|PARKED|PENDING_USER|PAUSED|ENROLLED|AWAITING|UNKNOWN|SURPLUS|UNRECORDED|UNCHECKED|PROMOTED|warning|^OPEN$/,
    'warn',
  ],
  [/RELEASED|SUCCEEDED|COMPLETED|DONE|RESOLVED|EXECUTED|APPROVED|BALANCED|ACTIVE|APPLIED/, 'good'],
  [/DELIVERED|CLEARED|FUNDED|SUCCESS|^ok$/, 'good'],
  [/ING$|PENDING|REQUESTED|PROGRESS|RESERVED|CREATED|COMMITTED|CLAIMED|INVITED|UNSETTLED/, 'busy'],
];

const COLORS: Readonly<Record<Tone, string>> = {
  good: 'var(--hf-good)',
  busy: 'var(--mantine-color-anchor)',
  warn: 'var(--hf-warn)',
  bad: 'var(--hf-bad)',
  quiet: 'var(--mantine-color-dimmed)',
};

/** Where the code word itself would not be understood. */
const LABELS: Readonly<Record<string, string>> = {
  ok: 'OK',
  CLAIMED: 'Started',
  REFUSED: 'Rejected',
  BOTH: 'Buyer and seller',
  SUSPENDED: 'Frozen',
  ENROLLED: 'Needs activation',
  ESCROW_CREATING: 'Escrow creation',
  FULL_RELEASE: 'Release to seller',
  FULL_REFUND: 'Refund to buyer',
  PAYIN_MISSING_HERE: 'Pay-in missing in Holdfast',
  PAYIN_MISSING_THERE: 'Pay-in missing at provider',
  PAYOUT_MISSING_HERE: 'Payout missing in Holdfast',
  PAYOUT_MISSING_THERE: 'Payout missing at provider',
  PAYOUT_DOUBLED: 'Duplicate payout',
  MONEY_UNCONFIRMED: 'Unconfirmed money',
  LEDGER_PAYMENT_UNBOOKED: 'Blockchain payment not booked',
  APPLY_AGAIN: 'Check again',
  UNCHECKED: 'Not checked yet',
  PROMOTED: 'Standby took over',
  REWOUND: 'Set back',
  UNRECORDED_PAYOUT: 'Payout without a record',
  UNRECORDED_PAYIN: 'Pay-in without a record',
  UNRECORDED_ESCROW: 'Escrow without a record',
  UNRECORDED_STEP: 'Step of an order without a record',
  ACKNOWLEDGED_WRITE_LOST: 'Confirmed write lost',
  DUST: 'Amount below one cent',
  APPLIED: 'Processed',
  SUPERSEDED: 'No change',
  PARKED: 'Needs review',
  WITHDRAWAL_COMMITTED: 'Confirmed',
  ledger_network: 'Blockchain',
  network_clearing: 'Blockchain clearing',
  // Of ledger entries.
  ...ENTRY_WORDS,
  cancel: 'Reservations canceled',
};

interface Props {
  readonly state: string;
  /** Where this screen has other words for the state. */
  readonly words?: string | undefined;
}

export function StateBadge({ state, words = wordsOf(state) }: Props) {
  return (
    <span className="hf-badge" style={{ color: colorOf(state) }}>
      {words}
    </span>
  );
}

export function colorOf(state: string): string {
  return COLORS[TONES.find(([form]) => form.test(state))?.[1] ?? 'quiet'];
}

/** As "Funds reserved": the state's own words, without the prefix that the screen says already. */
export function wordsOf(state: string): string {
  const label = Object.hasOwn(LABELS, state) ? LABELS[state] : undefined;
  if (label !== undefined) return label;
  const words = state
    .replace(/^(TOPUP|WITHDRAWAL|ORDER)_/, '')
    .replaceAll('_', ' ')
    .toLowerCase();
  return (words.charAt(0).toUpperCase() + words.slice(1)).replace(/^Api\b/, 'API');
}
