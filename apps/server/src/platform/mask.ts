//! Personal data as an operator sees it until somebody asks for it with a reason. A key belongs to
//! the marketplace whose people they are, and sees what it always saw.
import { DESTINATION_TYPES } from '@holdfast/contract/words';
import type { Actor } from './call.ts';

export function seesPersonalData({ kind }: Actor): boolean {
  return kind !== 'operator' && kind !== 'person';
}

type Fields = Readonly<Record<string, unknown>>;
type Mask = (text: string, beside: Fields) => string;

/** An address on the network is public; accounts and e-mail addresses are somebody's. */
const maskPayee = (ref: string, type: unknown) => (type === 'crypto' ? ref : maskEmail(ref));

/** What is personal goes by these names, in views, events and audit entries alike. */
const MASKS: Readonly<Record<string, Mask>> = {
  email: (email) => maskEmail(email),
  paymentAccountUserId: (id) => maskText(id),
  externalUserId: (name) => maskName(name),
  destinationRef: (ref, { destinationType }) => maskPayee(ref, destinationType),
  ref: (ref, { type }) =>
    DESTINATION_TYPES.some((each) => each === type) ? maskPayee(ref, type) : ref,
  // Of a person, beside how to reach them; of anything else, it is nobody's.
  name: (name, { email }) => (typeof email === 'string' ? maskText(name) : name),
};

/** The same, as this actor may see it. */
export function shownTo<T>(actor: Actor, value: T): T {
  return seesPersonalData(actor) ? value : (masked(value) as T);
}

function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked);
  // An amount, or whatever else has a class, is nothing personal.
  if (typeof value !== 'object' || Object.getPrototypeOf(value ?? 0) !== Object.prototype)
    return value;
  const fields = value as Fields;
  const maskOne = ([name, each]: [string, unknown]) => {
    const mask = Object.hasOwn(MASKS, name) ? MASKS[name] : undefined;
    return [name, mask && typeof each === 'string' ? mask(each, fields) : masked(each)];
  };
  return Object.fromEntries(Object.entries(fields).map(maskOne));
}

/** A name that somebody made of an address is masked as one; others say nothing. */
export function maskName(name: string): string {
  return name.includes('@') ? maskEmail(name) : name;
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
