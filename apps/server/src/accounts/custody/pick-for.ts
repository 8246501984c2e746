//! A choice that any process makes alike, also after it has forgotten that it was made.

/** Picks the same element for the same name every time. */
export function pickFor<T>(name: string, among: readonly T[]): T | undefined {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return among[sum % Math.max(among.length, 1)];
}
