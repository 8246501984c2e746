//! Which passwords are hashed while something is done, and at what cost. A stopwatch would tell the
//! same on an idle machine only.
import { type Cost, PasswordThread } from '../platform/password-thread.ts';

export interface Hashed {
  readonly password: string;
  readonly cost: Cost;
}

/** Only looks: everything is hashed as ever. */
export async function hashedDuring(work: () => Promise<unknown>): Promise<Hashed[]> {
  const hashed: Hashed[] = [];
  const { prototype } = PasswordThread;
  const derive = Reflect.get(prototype, 'derive') as PasswordThread['derive'];
  prototype.derive = function (password, nonce, cost) {
    hashed.push({ password, cost });
    return derive.call(this, password, nonce, cost);
  };
  try {
    await work();
  } finally {
    prototype.derive = derive;
  }
  return hashed;
}
