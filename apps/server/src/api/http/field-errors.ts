//! Converts the schema validator's findings to field errors, in plain words.
import { type FieldError, formOf } from '@holdfast/contract/validation';

export interface Finding {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: Record<string, unknown>;
  readonly message?: string;
}

/** Longer names are cut: they come from the caller. */
const NAME_MAX = 100;

const KINDS: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
};

/** `part` is the part of the request: body, querystring, params or headers. */
export function fieldErrors(part: string, findings: readonly Finding[]): FieldError[] {
  return findings.map((finding) => fieldError(part === 'querystring' ? 'query' : part, finding));
}

function fieldError(part: string, { keyword, instancePath, params, message }: Finding): FieldError {
  const path = instancePath.slice(1).replaceAll('/', '.').slice(0, NAME_MAX);
  const field = path || part;
  const inside = (name: unknown) =>
    `${path === '' ? '' : `${path}.`}${String(name).slice(0, NAME_MAX)}`;
  const fault = (rule: FieldError['rule'], words: string, at = field): FieldError => ({
    field: at,
    rule,
    message: `${at} ${words}`,
  });
  const { limit } = params;
  switch (keyword) {
    case 'additionalProperties':
      return fault('unknown', 'is not a known field', inside(params['additionalProperty']));
    case 'required':
      return fault('required', 'is required', inside(params['missingProperty']));
    case 'enum':
      return fault('enum', `must be one of ${(params['allowedValues'] as unknown[]).join(', ')}`);
    case 'type':
      return fault('type', `must be ${kindOf(params['type'])}`);
    case 'pattern':
      return fault('format', formWords(String(params['pattern'])));
    case 'minLength':
    case 'maxLength':
      return fault('length', `must have ${bound(keyword)} ${counted(limit, 'character')}`);
    case 'minItems':
    case 'maxItems':
      return fault('length', `must have ${bound(keyword)} ${counted(limit, 'item')}`);
    case 'maxProperties':
      return fault('length', `must have ${bound(keyword)} ${counted(limit, 'field')}`);
    case 'minimum':
    case 'maximum':
      return fault('range', `must be ${bound(keyword)} ${String(limit)}`);
    case 'uniqueItems':
      return fault('unique', 'must not contain the same item twice');
    default:
      return fault('format', message ?? 'is invalid');
  }
}

/** One kind, or several as a list or as a text with commas. */
function kindOf(type: unknown): string {
  const kinds = Array.isArray(type) ? type : String(type).split(',');
  return kinds.map((kind) => KINDS[String(kind)] ?? String(kind)).join(' or ');
}

function formWords(pattern: string): string {
  const form = formOf(pattern);
  return form === undefined ? 'has an invalid format' : `must be ${form}`;
}

function bound(keyword: string): string {
  return keyword.startsWith('min') ? 'at least' : 'at most';
}

function counted(limit: unknown, noun: string): string {
  return `${String(limit)} ${noun}${limit === 1 ? '' : 's'}`;
}
