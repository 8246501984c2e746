//! The choices for how long an old secret or key stays valid beside its successor.

export const OVERLAPS: Readonly<Record<string, number>> = {
  'Not at all (expires immediately)': 0,
  '1 hour': 3_600,
  '1 day': 86_400,
  '7 days': 604_800,
};
