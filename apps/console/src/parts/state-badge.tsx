//! A state as a word with a colour; the word alone says it too.

type Tone = 'good' | 'busy' | 'warn' | 'bad' | 'quiet';

const TONES: readonly (readonly [RegExp, Tone])[] = [
  [/FAIL|BREACH|RAISED|REJECTED|SUSPENDED|DISABLED|EXPIRED|REFUSED|^down$|critical/, 'bad'],
  [
    /DISPUTED|UNDER_REVIEW|PARKED|PENDING_USER|PAUSED|AWAITING|UNKNOWN|SURPLUS|warning|^OPEN$/,
    'warn',
  ],
  [/RELEASED|SUCCEEDED|COMPLETED|DONE|RESOLVED|EXECUTED|APPROVED|BALANCED|ACTIVE|APPLIED/, 'good'],
  [/DELIVERED|CLEARED|FUNDED|SUCCESS|^ok$/, 'good'],
  [/ING$|PENDING|REQUESTED|PROGRESS|RESERVED|CREATED|COMMITTED|CLAIMED|UNSETTLED/, 'busy'],
];

const COLORS: Readonly<Record<Tone, string>> = {
  good: 'var(--hf-good)',
  busy: 'var(--mantine-color-anchor)',
  warn: 'var(--hf-warn)',
  bad: 'var(--hf-bad)',
  quiet: 'var(--mantine-color-dimmed)',
};

export function StateBadge({ state }: { readonly state: string }) {
  return (
    <span className="hf-badge" style={{ color: colorOf(state) }}>
      {wordsOf(state)}
    </span>
  );
}

export function colorOf(state: string): string {
  return COLORS[TONES.find(([form]) => form.test(state))?.[1] ?? 'quiet'];
}

/** As "Escrow creating": the state's own words, without the prefix that the screen says already. */
export function wordsOf(state: string): string {
  const words = state
    .replace(/^(TOPUP|WITHDRAWAL|ORDER)_/, '')
    .replaceAll('_', ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
