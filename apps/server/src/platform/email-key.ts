//! Normalises e-mail addresses, so that two spellings of one address are equal.

export function emailKey(email: string): string {
  return email.normalize('NFC').toLowerCase();
}
