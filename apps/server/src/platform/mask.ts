//! Masks personal data for operators, until an operator requests it unmasked with a reason. It
//! masks fields that are personal by name, and addresses and accounts within other texts. A key
//! sees everything: it belongs to the marketplace whose users they are.
import { DESTINATION_TYPES } from '@holdfast/contract/enums';
import type { Actor } from './call.ts';

export function seesPersonalData({ kind }: Actor): boolean {
  return kind !== 'operator' && kind !== 'person';
}

type Fields = Readonly<Record<string, unknown>>;
type Mask = (text: string, beside: Fields) => string;

/** An address on the network is public; accounts and e-mail addresses are personal. */
const maskPayee = (ref: string, type: unknown) => (type === 'crypto' ? ref : maskEmail(ref));

/** Field names that hold personal data, in views, events and audit entries alike. */
const MASKS: Readonly<Record<string, Mask>> = {
  email: (email) => maskEmail(email),
  paymentAccountUserId: (id) => maskText(id),
  externalUserId: (name) => maskName(name),
  destinationRef: (ref, { destinationType }) => maskPayee(ref, destinationType),
  ref: (ref, { type }) =>
    DESTINATION_TYPES.some((each) => each === type) ? maskPayee(ref, type) : maskSentence(ref),
  // Beside an e-mail address it is a person's name; elsewhere it is not personal.
  name: (name, { email }) => (typeof email === 'string' ? maskText(name) : maskSentence(name)),
  // Of a member it is personal; of keys and operators it shows a foreign hand.
  address: (address, { actorId, actorType }) =>
    actorType === 'MEMBER' || (typeof actorId === 'string' && actorId.startsWith('usr_'))
      ? maskAddress(address)
      : address,
  // Addresses of colleagues stay visible: disputes are assigned and found by them.
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
  // An amount, or any other class instance, is not personal.
  if (typeof value !== 'object' || Object.getPrototypeOf(value ?? 0) !== Object.prototype)
    return value;
  const fields = value as Fields;
  const maskOne = ([name, each]: [string, unknown]) => {
    const mask = Object.hasOwn(MASKS, name) ? MASKS[name] : undefined;
    return [name, mask && typeof each === 'string' ? mask(each, fields) : masked(each)];
  };
  return Object.fromEntries(Object.entries(fields).map(maskOne));
}

/** The characters on either side of the sign of an address, which a link may write as `%40`. */
const PART = `[^\\s@"'<>,;:()/?=&]`;
/** Matches only at the start of such a part: a long text without one costs linear time. */
const ADDRESS = new RegExp(`(?<!${PART})${PART}+(?:@|%40)${PART}+`, 'gi');
/** An account as banks write it: groups of four, with spaces or without. */
const IBAN = /\b[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,3})?\b/g;
const IBAN_LENGTH_MIN = 15;

/**
 * Masks addresses and accounts within free text, such as a provider's failure reason. Ids, hashes,
 * amounts and times do not match.
 */
export function maskSentence(text: string): string {
  return text
    .replace(ADDRESS, (found) => maskEmail(found.replace('%40', '@')))
    .replace(IBAN, maskIban);
}

/**
 * The next word may look like the last group, so a match that is too long is retried without it.
 */
function maskIban(found: string): string {
  for (let end = found.length; end > 0; end = found.lastIndexOf(' ', end - 1)) {
    const iban = found.slice(0, end).replaceAll(' ', '');
    if (isIban(iban)) return maskText(iban) + found.slice(end);
  }
  return found;
}

/** Checks the check digits: a provider's own reference may look alike. */
function isIban(iban: string): boolean {
  const turned = iban.slice(4) + iban.slice(0, 4);
  const digits = turned.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return iban.length >= IBAN_LENGTH_MIN && BigInt(digits) % 97n === 1n;
}

/** A name that is an e-mail address is masked as one; other names are left as they are. */
export function maskName(name: string): string {
  return name.includes('@') ? maskEmail(name) : name;
}

/** Recognisable, but not enough to write to: `a•••@e•••.com`. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  if (at < 1) return maskText(email);
  const domain = email.slice(at + 1);
  const dot = domain.lastIndexOf('.');
  const end = dot < 1 ? '' : domain.slice(dot);
  return `${email.slice(0, 1)}•••@${domain.slice(0, 1)}•••${end}`;
}

/** The first half of an internet address: recognisable, but many hosts have it. */
function maskAddress(address: string): string {
  const [sign, shown] = address.includes(':') ? [':', 3] : ['.', 2];
  return `${address.split(sign).slice(0, shown).join(sign)}${sign}•••`;
}

/** The last four characters, when the text is long enough. */
export function maskText(text: string): string {
  return text.length < 8 ? '•••' : `•••${text.slice(-4)}`;
}
