//! Input of control: JSON, or a form of the home page. Undeclared fields are refused.
import type { Exchange } from '../router.ts';

export class ControlRefusal extends Error {
  override readonly name = 'ControlRefusal';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export type Input = Readonly<Record<string, unknown>>;

export function readInput({ request, body }: Exchange, names: readonly string[]): Input {
  const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded');
  return checkNames(isForm ? Object.fromEntries(new URLSearchParams(body)) : parse(body), names);
}

/** An object inside the input; undefined when it was not given. */
export function partOf(input: Input, name: string, names: readonly string[]): Input | undefined {
  return input[name] === undefined ? undefined : checkNames(input[name], names, `${name} `);
}

export function textOf(input: Input, name: string): string {
  const value = input[name];
  return typeof value === 'string' && value !== '' ? value : refuse(name, 'must be a string');
}

export function choiceOf<T extends string>(input: Input, name: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === input[name]);
  return found ?? refuse(name, `must be one of ${choices.join(', ')}`);
}

/** A number, or the digits of one as forms send them. */
export function numberOf(input: Input, name: string, max: number): number {
  const value = input[name];
  const isDigits = typeof value === 'string' && /^(0|[1-9]\d*)(\.\d+)?$/.test(value);
  const number = isDigits ? (JSON.parse(value) as unknown) : value;
  const isFitting = typeof number === 'number' && number >= 0 && number <= max;
  return isFitting ? number : refuse(name, `must be a number from 0 to ${max}`);
}

export function wholeOf(input: Input, name: string, max: number): number {
  const number = numberOf(input, name, max);
  return Number.isSafeInteger(number) ? number : refuse(name, 'must be a whole number');
}

/** Decimal text, or a number that reads as such. */
export function decimalOf(input: Input, name: string, places: number): string {
  const value = input[name];
  const text = typeof value === 'number' ? String(value) : value;
  const isDecimal =
    typeof text === 'string' && new RegExp(`^\\d{1,12}(\\.\\d{1,${places}})?$`).test(text);
  return isDecimal ? text : refuse(name, `must be an amount with at most ${places} decimals`);
}

export function flagOf(input: Input, name: string): boolean {
  const value = input[name];
  return typeof value === 'boolean' ? value : refuse(name, 'must be true or false');
}

export function refuse(name: string, problem: string): never {
  throw new ControlRefusal(400, `${name} ${problem}`);
}

function parse(body: string): unknown {
  if (body.trim() === '') return {};
  try {
    return JSON.parse(body);
  } catch {
    throw new ControlRefusal(400, 'the body is not JSON');
  }
}

function checkNames(value: unknown, names: readonly string[], where = ''): Input {
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new ControlRefusal(400, `${where}must be an object`);
  for (const name of Object.keys(value))
    if (!names.includes(name)) throw new ControlRefusal(400, `unknown field ${where}${name}`);
  return value as Input;
}
