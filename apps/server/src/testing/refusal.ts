//! Recognises a refusal by its code, for `rejects.toSatisfy`.
import { type ErrorCode, Refusal } from '@holdfast/contract/errors';

export function isRefusal(code: ErrorCode): (error: unknown) => boolean {
  return (error) => error instanceof Refusal && error.code === code;
}
