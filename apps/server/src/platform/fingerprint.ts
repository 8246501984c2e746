//! Fingerprints: half of a SHA-256, as a UUID that PostgreSQL stores in 16 bytes.
import { hash } from 'node:crypto';

export function fingerprint(text: string): string {
  const h = hash('sha256', text, 'hex');
  return `${h.slice(0, 8)}-${h.slice(8, 12)}-${h.slice(12, 16)}-${h.slice(16, 20)}-${h.slice(20, 32)}`;
}
