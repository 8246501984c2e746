//! Why a command could not do what it was asked: what, what to do about it, and how it ends.
import type { ExitName } from './exit-codes.ts';

interface FaultParts {
  readonly exit: ExitName;
  /** One line for the person; `message` says what is wrong. */
  readonly cure?: string | undefined;
  /** Of the catalogue, or one of our own in the same form. */
  readonly code?: string | undefined;
  readonly requestId?: string | undefined;
  readonly details?: unknown;
}

export class CommandFault extends Error {
  override readonly name = 'CommandFault';
  readonly exit: ExitName;
  readonly cure: string | undefined;
  readonly code: string | undefined;
  readonly requestId: string | undefined;
  readonly details: unknown;

  constructor(message: string, parts: FaultParts) {
    super(message);
    this.exit = parts.exit;
    this.cure = parts.cure;
    this.code = parts.code;
    this.requestId = parts.requestId;
    this.details = parts.details;
  }
}

export function usageFault(message: string, cure?: string): CommandFault {
  return new CommandFault(message, { exit: 'usage', cure, code: 'USAGE' });
}
