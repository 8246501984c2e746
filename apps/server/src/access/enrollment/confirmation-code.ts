//! The code by which a platform admin knows whose credentials they activate: the person gives it to
//! them. It is derived from these very credentials, so another enrollment has another code.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { encodeBase32 } from '@holdfast/kernel/base32';
import type { OperatorId } from '@holdfast/kernel/ids';

/** Crockford base 32: no i, l, o, u, so the code survives being read out on the telephone. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** Eight characters. */
const CODE_BYTES = 5;

export interface ConfirmedCredentials {
  readonly id: OperatorId;
  readonly passwordHash: string;
  readonly totpSecret: Uint8Array;
  readonly salt: Uint8Array;
}

/** As it is shown, such as `7K3M-Q2XD`. */
export function confirmationCode(credentials: ConfirmedCredentials): string {
  const { id, passwordHash, totpSecret, salt } = credentials;
  const text = JSON.stringify([id, passwordHash, encodeBase32(totpSecret)]);
  const mac = createHmac('sha256', salt).update(text).digest();
  const code = encodeBase32(mac.subarray(0, CODE_BYTES), ALPHABET);
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

export function isConfirmationCode(credentials: ConfirmedCredentials, given: string): boolean {
  const [a, b] = [plain(confirmationCode(credentials)), plain(given)].map((one) =>
    Buffer.from(one),
  );
  return a !== undefined && b !== undefined && a.length === b.length && timingSafeEqual(a, b);
}

/** As people write it down: letters that look like digits are digits. */
function plain(code: string): string {
  return code.toUpperCase().replace(/[- ]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
}
