//! Checks the shape of a request body, and refuses with the sentences of NestJS.
import { StrKey } from '@stellar/stellar-sdk';
import { ApiRefusal } from './api-refusal.ts';

export type Shape = Readonly<Record<string, Field>>;

export interface Field {
  readonly type: 'text' | 'account' | 'contract' | 'number' | 'boolean' | 'object' | 'list';
  readonly isOptional?: true;
  /** A text that may be there and say nothing. */
  readonly mayBeEmpty?: true;
  readonly lengthMax?: number;
  /** Of an object, or of each object of a list. */
  readonly fields?: Shape;
}

export type Body = Readonly<Record<string, unknown>>;

/** Above this a JSON number no longer holds every stroop. */
const NUMBER_MAX = 100_000_000_000;

export function readJsonBody(raw: string, shape: Shape): Body {
  const parsed = parse(raw);
  const faults = findFaults(parsed, shape, '');
  if (faults.length > 0) throw new ApiRefusal(400, faults);
  return parsed;
}

function parse(raw: string): Body {
  let parsed: unknown;
  try {
    parsed = raw === '' ? {} : JSON.parse(raw);
  } catch (error) {
    throw new ApiRefusal(400, (error as Error).message);
  }
  if (!isObject(parsed)) throw new ApiRefusal(400, 'Validation failed');
  return parsed;
}

function isObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Unknown properties come first, then each field in its order, as class-validator does it. */
function findFaults(body: Body, shape: Shape, path: string): string[] {
  const unknown = Object.keys(body)
    .filter((name) => !Object.hasOwn(shape, name))
    .map((name) => `${path}property ${name} should not exist`);
  const wrong = Object.entries(shape).flatMap(([name, field]) =>
    fieldFaults(body[name], field, `${path}${name}`),
  );
  return [...unknown, ...wrong];
}

function fieldFaults(value: unknown, field: Field, name: string): string[] {
  const isMissing = value === undefined || value === null;
  if (isMissing && field.isOptional) return [];
  switch (field.type) {
    case 'text':
      return textFaults(value, field, name);
    case 'account':
      return StrKey.isValidEd25519PublicKey(String(value))
        ? []
        : [...textFaults(value, field, name), `${name} must be a valid Stellar address`];
    case 'contract':
      return StrKey.isValidContract(String(value))
        ? []
        : [...textFaults(value, field, name), `${name} must be a valid contract address`];
    case 'number':
      return typeof value === 'number' && Math.abs(value) <= NUMBER_MAX
        ? []
        : [`${name} must be a number conforming to the specified constraints`];
    case 'boolean':
      return typeof value === 'boolean' ? [] : [`${name} must be a boolean value`];
    case 'object':
      return isObject(value)
        ? findFaults(value, field.fields ?? {}, `${name}.`)
        : [`${name} must be an object`];
    case 'list':
      return listFaults(value, field, name);
  }
}

function textFaults(value: unknown, { lengthMax, mayBeEmpty }: Field, name: string): string[] {
  if (value === '' && mayBeEmpty) return [];
  const isEmpty = value === undefined || value === null || value === '';
  if (isEmpty && typeof value === 'string') return [`${name} should not be empty`];
  if (isEmpty) return [`${name} should not be empty`, `${name} must be a string`];
  if (typeof value !== 'string') return [`${name} must be a string`];
  return lengthMax !== undefined && value.length > lengthMax
    ? [`${name} must be shorter than or equal to ${lengthMax} characters`]
    : [];
}

function listFaults(value: unknown, { fields = {} }: Field, name: string): string[] {
  if (!Array.isArray(value)) return [`${name} must be an array`];
  return value.flatMap((each: unknown, at) =>
    isObject(each)
      ? findFaults(each, fields, `${name}.${at}.`)
      : [`each value in nested property ${name} must be either object or array`],
  );
}

/** Query parameters: names that are not in the list are refused like properties of a body. */
export function checkQuery(query: URLSearchParams, known: readonly string[]): void {
  const names = [...new Set(query.keys())].filter((name) => !known.includes(name));
  if (names.length === 0) return;
  throw new ApiRefusal(
    400,
    names.map((name) => `property ${name} should not exist`),
  );
}
