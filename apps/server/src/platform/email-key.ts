//! Two spellings of one e-mail address are one address.

export function emailKey(email: string): string {
  return email.normalize('NFC').toLowerCase();
}
