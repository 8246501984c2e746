//! The error of a failed command: a message, a fix for the user, and the exit code.
import type { ExitName } from './exit-codes.ts';

interface FaultFields {
  readonly exit: ExitName;
  /** One line for the person; `message` says what is wrong. */
  readonly fix?: string | undefined;
  /** Of the catalogue, or one of our own in the same form. */
  readonly code?: string | undefined;
  readonly requestId?: string | undefined;
  readonly details?: unknown;
}

export class CommandFault extends Error {
  override readonly name = 'CommandFault';
  readonly exit: ExitName;
  readonly fix: string | undefined;
  readonly code: string | undefined;
  readonly requestId: string | undefined;
  readonly details: unknown;

  constructor(message: string, fields: FaultFields) {
    super(message);
    this.exit = fields.exit;
    this.fix = fields.fix;
    this.code = fields.code;
    this.requestId = fields.requestId;
    this.details = fields.details;
  }
}

export function usageFault(message: string, fix?: string): CommandFault {
  return new CommandFault(message, { exit: 'usage', fix, code: 'USAGE' });
}
