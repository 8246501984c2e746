//! Personal data as an operator sees it until somebody asks for it with a reason. A key belongs to
//! the marketplace whose people they are, and sees what it always saw.
import type { Actor } from './call.ts';

export function seesPersonalData({ kind }: Actor): boolean {
  return kind !== 'operator' && kind !== 'person';
}

/** Enough to recognise, too little to write to: `a•••@e•••.com`. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  if (at < 1) return maskText(email);
  const domain = email.slice(at + 1);
  const dot = domain.lastIndexOf('.');
  const end = dot < 1 ? '' : domain.slice(dot);
  return `${email.slice(0, 1)}•••@${domain.slice(0, 1)}•••${end}`;
}

/** The last four characters of what is long enough to leave any. */
export function maskText(text: string): string {
  return text.length < 8 ? '•••' : `•••${text.slice(-4)}`;
}
