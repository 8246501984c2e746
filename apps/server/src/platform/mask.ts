//! Personal data as an operator sees it until somebody asks for it with a reason: what is personal
//! by its name, and addresses and accounts within any other text. A key belongs to the marketplace
//! whose people they are, and sees what it always saw.
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
    DESTINATION_TYPES.some((each) => each === type) ? maskPayee(ref, type) : maskSentence(ref),
  // Of a person, beside how to reach them; of anything else, it is nobody's.
  name: (name, { email }) => (typeof email === 'string' ? maskText(name) : maskSentence(name)),
  // Colleagues: by these addresses disputes are handed on, and found again.
  assignedTo: (agent) => agent,
  reviewedBy: (agent) => agent,
};

/** The same, as this actor may see it. */
export function shownTo<T>(actor: Actor, value: T): T {
  return seesPersonalData(actor) ? value : (masked(value) as T);
}

function masked(value: unknown): unknown {
  if (typeof value === 'string') return maskSentence(value);
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

/** What an address has on either side of its sign, which a link may write as `%40`. */
const PART = `[^\\s@"'<>,;:()/?=&]`;
/** Begins where such a part begins: a long text without one costs no more than its length. */
const ADDRESS = new RegExp(`(?<!${PART})${PART}+(?:@|%40)${PART}+`, 'gi');
/** An account as banks write it: groups of four, with spaces or without. */
const IBAN = /\b[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,3})?\b/g;
const IBAN_LENGTH_MIN = 15;

/**
 * A text of somebody's own, such as a provider's reason of a failure: whose it is about is masked
 * within it. Neither ids and hashes nor amounts and times look like that.
 */
export function maskSentence(text: string): string {
  return text
    .replace(ADDRESS, (found) => maskEmail(found.replace('%40', '@')))
    .replace(IBAN, maskIban);
}

/** A word behind it may look like its last group, so what ends too late is tried without. */
function maskIban(found: string): string {
  for (let end = found.length; end > 0; end = found.lastIndexOf(' ', end - 1)) {
    const iban = found.slice(0, end).replaceAll(' ', '');
    if (isIban(iban)) return maskText(iban) + found.slice(end);
  }
  return found;
}

/** By its check digits: a name that a provider gave something may look alike. */
function isIban(iban: string): boolean {
  const turned = iban.slice(4) + iban.slice(0, 4);
  const digits = turned.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return iban.length >= IBAN_LENGTH_MIN && BigInt(digits) % 97n === 1n;
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
