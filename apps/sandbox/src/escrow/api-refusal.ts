//! A request that the vendor's API refuses, in the shape that NestJS gives to errors.
import { STATUS_CODES } from 'node:http';

export class ApiRefusal extends Error {
  override readonly name = 'ApiRefusal';
  readonly status: number;
  readonly body: object;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    message: string | readonly string[],
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(String(message));
    this.status = status;
    this.headers = headers;
    this.body = bodyOf(status, message);
  }
}

function bodyOf(statusCode: number, message: string | readonly string[]): object {
  // Nest leaves the name out where it would only repeat the message.
  const error = STATUS_CODES[statusCode];
  const isBare = statusCode === 401 || statusCode === 429 || statusCode === 500;
  return isBare ? { statusCode, message } : { message, error, statusCode };
}
