//! Finds what looks like a key, a seed or a password in a text.

/** A match, and a name for it that does not repeat it. */
export interface FoundSecret {
  readonly kind: string;
  readonly text: string;
}

const FORMS: Readonly<Record<string, RegExp>> = {
  'private key': /-----BEGIN [A-Z ]*PRIVATE KEY-----/g,
  'seed of a wallet': /\bS[A-Z2-7]{55}\b/g,
  'key of a cloud': /\bAKIA[0-9A-Z]{16}\b/g,
  'token of GitHub': /\b(gh[pousr]_\w{36,}|github_pat_\w{40,})/g,
  'token of npm': /\bnpm_\w{36}/g,
  'live key of a payment service': /\b[sr]k_live_\w{10,}/g,
  'key of Holdfast': /\bhf[a-z]_\w{20,}/g,
  'webhook secret': /\bwhsec_[\w+/=-]{32,}/g,
  '32 bytes in hex': /\b[0-9a-f]{64}\b/g,
  '32 bytes in base64': /(?<![\w+/=-])[A-Za-z0-9+/]{43}=(?![\w=])/g,
};

const WORD = /[A-Za-z0-9+=_-]{32,}/g;
const ENTROPY_BITS_MIN = 4.2;

export function findSecrets(text: string): FoundSecret[] {
  const formed = Object.entries(FORMS).flatMap(([kind, form]) =>
    (text.match(form) ?? []).map((found) => ({ kind, text: found })),
  );
  const random = (text.match(WORD) ?? [])
    .filter((word) => /[a-z]/.test(word) && /[A-Z]/.test(word) && /\d/.test(word))
    .filter((word) => entropyBits(word) >= ENTROPY_BITS_MIN)
    .filter((word) => !formed.some((found) => found.text.includes(word)))
    .map((word) => ({ kind: 'random word', text: word }));
  return [...formed, ...random];
}

/** Of a character: 6 for random base64 of great length, about 4 for names of things. */
function entropyBits(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values())
    bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
