//! Building blocks of every schema on the wire. One fault in a request gives one message.
import { CURRENCY_CODES, type Currency } from '@holdfast/kernel/currency';
import { type Id, idPattern, type Prefix } from '@holdfast/kernel/ids';
import {
  type Static,
  type TEnum,
  type TObject,
  type TOptional,
  type TProperties,
  type TSchema,
  type TString,
  type TUnsafe,
  Type,
} from 'typebox';
import { RESERVED_WORDS } from '#enums';
import { LENGTHS, METADATA_PROPERTIES_MAX } from '#limits';

/** Fills the places of an example id; the shape is that of kernel's `newId`. */
const EXAMPLE_ID = '00k7qv3zsx5fj2m8r4tw9c6hbd';
const EXAMPLE_INSTANT = '2026-03-01T12:00:00.000Z';

export function id<P extends Prefix>(prefix: P): TUnsafe<Id<P>> {
  const examples = [`${prefix}_${EXAMPLE_ID}`];
  return Type.Unsafe<Id<P>>({ type: 'string', pattern: idPattern(prefix), examples });
}

/** An amount as it goes out: always two places. */
export function amount(): TString {
  return Type.String({ pattern: '^\\d+\\.\\d{2}$', examples: ['100.00'] });
}

/** A difference as it goes out: two places, with a sign when it is negative. */
export function signedAmount(): TString {
  return Type.String({ pattern: '^-?\\d+\\.\\d{2}$', examples: ['-0.05'] });
}

/** What an address on the network holds: up to seven places, and a sign for differences. */
export function networkAmount(): TString {
  return Type.String({ pattern: '^-?\\d+(\\.\\d{1,7})?$', examples: ['100.0000000'] });
}

/** An incoming amount. The operation reads it, because routes differ in the error they return. */
export function amountInput(): TString {
  return Type.String({
    maxLength: LENGTHS.amount,
    description: 'A positive decimal string with at most two places.',
    examples: ['100.00'],
  });
}

/** A change as it comes in: up to seven places, with a sign when it is negative. Not zero. */
export function signedAmountInput(): TString {
  return Type.String({
    maxLength: LENGTHS.amount,
    pattern: '^-?(?!0+(\\.0+)?$)\\d{1,12}(\\.\\d{1,7})?$',
    examples: ['1000.0000000'],
  });
}

/** A percentage as it goes out: always two places. */
export function rate(): TString {
  return Type.String({ pattern: '^\\d{1,2}\\.\\d{2}$', examples: ['5.00'] });
}

/** One of a list. An enumeration and not a union, so that a wrong value gives one message. */
export function oneOf<const V extends string>(values: readonly V[]): TEnum<V[]> {
  const reserved = RESERVED_WORDS.filter(({ of }) => of === values);
  const description = reserved.map(({ word, why }) => `\`${word}\` is reserved: ${why}.`).join(' ');
  return Type.Enum([...values] as V[], description === '' ? {} : { description });
}

export function currency(): TEnum<Currency[]> {
  return oneOf(CURRENCY_CODES);
}

/** A time as it goes out. */
export function instant(): TString {
  return Type.String({ format: 'date-time', examples: [EXAMPLE_INSTANT] });
}

/** A time as it comes in: an ISO 8601 date, or a date and time with a UTC offset. */
export function instantInput(): TString {
  return Type.String({
    maxLength: 40,
    pattern: '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?(Z|[+-]\\d{2}:\\d{2}))?$',
    examples: [EXAMPLE_INSTANT],
  });
}

/** Incoming text that must not be empty. PostgreSQL cannot store the character NUL. */
export function text(maxLength: number): TString {
  return Type.String({ minLength: 1, maxLength, pattern: '^[^\\u0000]*$' });
}

/** The same, but it may be empty. */
export function optionalText(maxLength: number): TString {
  return Type.String({ maxLength, pattern: '^[^\\u0000]*$' });
}

export function email(): TString {
  return Type.String({
    maxLength: LENGTHS.email,
    pattern: '^[^\\s@\\u0000]+@[^\\s@\\u0000]+\\.[^\\s@.\\u0000]+$',
    examples: ['ada@example.com'],
  });
}

export function webUrl(): TString {
  return Type.String({
    maxLength: LENGTHS.url,
    pattern: '^https?://[^\\s\\u0000]+$',
    examples: ['https://shop.example.com/thanks'],
  });
}

/** A whole number of seconds in a query or body, within bounds. */
export function seconds(minimum: number, maximum: number) {
  return Type.Integer({ minimum, maximum });
}

/** The schema or null, as one schema: serializers stay fast and messages stay single. */
export function nullable<S extends TSchema>(schema: S): TUnsafe<Static<S> | null> {
  const { type, enum: values, ...rest } = schema as { type?: string; enum?: unknown[] };
  return Type.Unsafe<Static<S> | null>({
    ...(type === undefined ? {} : { type: [type, 'null'] }),
    ...(values === undefined ? {} : { enum: [...values, null] }),
    ...rest,
  });
}

/** An object that refuses properties it does not name. */
export function closed<P extends TProperties>(properties: P): TObject<P> {
  return Type.Object(properties, { additionalProperties: false });
}

/** A closed object that is published under a name of its own. */
export function record<P extends TProperties>(title: string, properties: P): TObject<P> {
  return Type.Object(properties, { additionalProperties: false, title });
}

/** A body that may be left out: the server turns a missing one into null before it validates. */
export function optionalBody<P extends TProperties>(
  properties: P,
): TUnsafe<Static<TObject<P>> | null> {
  return nullable(closed(properties));
}

/** The caller's own data: any JSON object, kept as it was sent. */
export function metadata(): TUnsafe<Record<string, unknown>> {
  return Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    maxProperties: METADATA_PROPERTIES_MAX,
    additionalProperties: true,
    description: 'Data of the caller, stored unchanged.',
  });
}

/** An object of which nothing is promised but that it is one. */
export function openObject(description: string): TUnsafe<Record<string, unknown>> {
  return Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description,
  });
}

/** Names to values of one kind. */
export function mapOf<S extends TSchema>(values: S): TUnsafe<Record<string, Static<S>>> {
  return Type.Unsafe<Record<string, Static<S>>>({ type: 'object', additionalProperties: values });
}

/** A whole number in a query string stays text in the schema; the server decodes it afterwards. */
export function pageLimit(): TString {
  return Type.String({
    pattern: '^(100|[1-9]\\d?)$',
    description: 'Page size, 1 to 100; default 20.',
    examples: ['20'],
  });
}

/** The query of a Surface A list: a page, and the filters that fit the resource. */
export function listQuery<const X extends Prefix, P extends TProperties>(
  cursor: X,
  filters: P,
): TObject<{ limit: ReturnType<typeof optionalLimit>; cursor: OptionalId<X> } & P> {
  return closed({
    limit: optionalLimit(),
    cursor: Type.Optional(id(cursor)) as OptionalId<X>,
    ...filters,
  });
}

type OptionalId<P extends Prefix> = ReturnType<typeof Type.Optional<TUnsafe<Id<P>>>>;

function optionalLimit() {
  return Type.Optional(pageLimit());
}

/** The time filters of lists; the wire spells them created_after and created_before too. */
export const createdBetween = {
  createdAfter: Type.Optional(instantInput()),
  createdBefore: Type.Optional(instantInput()),
};

/** An open session is not enough to create keys or operators, or to change or disable operators. */
export function ownCode(): TOptional<TString> {
  return Type.Optional(
    Type.String({
      maxLength: 10,
      pattern: '^\\d{6}$',
      examples: ['123456'],
      description: 'A fresh code of the calling operator; not needed with the master key.',
    }),
  );
}
