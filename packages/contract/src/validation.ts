//! Errors of a request: each names its field, the rule that it breaks, and a message for people.

import type { VALIDATION_RULES } from '#enums';
import { Refusal } from '#errors';

export type ValidationRule = (typeof VALIDATION_RULES)[number];

export interface FieldError {
  /** A path with dots (`milestones.0.amount`), a header, or `body` for all of it. */
  readonly field: string;
  readonly rule: ValidationRule;
  readonly message: string;
}

/** `validationErrors` holds the messages of `errors`, for callers that know only those. */
export function invalidRequest(errors: readonly FieldError[]): Refusal<'VALIDATION_ERROR'> {
  const validationErrors = errors.map(({ message }) => message);
  return new Refusal('VALIDATION_ERROR', { errors: [...errors], validationErrors });
}

export function refuseField(field: string, rule: ValidationRule, message: string): never {
  throw invalidRequest([{ field, rule, message }]);
}

/** The forms of request fields in words: messages show no regular expression. */
const FORMS: Readonly<Record<string, string>> = {
  '^[^\\u0000]*$': 'text without the character NUL',
  '^[^\\s@\\u0000]+@[^\\s@\\u0000]+\\.[^\\s@.\\u0000]+$': 'an email address',
  '^https?://[^\\s\\u0000]+$': 'an http or https URL',
  '^-?(?!0+(\\.0+)?$)\\d{1,12}(\\.\\d{1,7})?$':
    'a decimal string other than zero, with at most seven decimal places',
  '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?(Z|[+-]\\d{2}:\\d{2}))?$':
    'an ISO 8601 date, or a date and time with a UTC offset',
  '^(100|[1-9]\\d?)$': 'a whole number from 1 to 100',
  '^([1-9]|[1-8]\\d|90)$': 'a whole number from 1 to 90',
  '^([1-9]|[12]\\d|30)$': 'a whole number from 1 to 30',
  '^[1-9]\\d{0,18}$': 'a positive whole number',
  '^[1-9]\\d{0,8}$': 'a positive whole number',
  '^[A-Za-z0-9_-]+$': 'a cursor returned by this list',
  '^[1-5](\\d\\d|xx)$': 'a status such as 404 or 4xx',
  '^[0-9a-fA-F-]{36}$': 'a UUID',
  '^\\d{6}$': 'six digits',
  '^[\\w-]{43}$': 'a token: the 43 characters after # in the link',
  '^[0-9A-Za-z]{4}[- ]?[0-9A-Za-z]{4}$': 'a code of eight letters and digits such as 7K3M-Q2XD',
  '^[a-z_]{4,20}(\\.(usr|ord)_[0-9a-z]{20,32})?\\.(USD|USDC|XLM)$':
    'an account id such as fee_income.USD',
};

/** What a pattern expects, or undefined where it has no words yet. */
export function formOf(pattern: string): string | undefined {
  const [, prefix] = /^\^([a-z]+)_\[/.exec(pattern) ?? [];
  return prefix === undefined ? FORMS[pattern] : `an id that starts with ${prefix}_`;
}
