//! How long an old secret or key may go on beside its successor.

export const OVERLAPS: Readonly<Record<string, number>> = {
  'no time': 0,
  '1 hour': 3_600,
  '1 day': 86_400,
  '7 days': 604_800,
};
