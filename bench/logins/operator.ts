//! An operator who signs in from a known device while outsiders try the same account.
import { assert } from '@holdfast/kernel/assert';
import { oneTimeCode } from '../../apps/cli/src/dev/one-time-code.ts';
import type { LocalOperator } from '../../apps/cli/src/local-operators.ts';
import { print } from '../../tests/harness/report.ts';
import { startHelper } from '../harness/helper.ts';
import type { skills } from './outsiders.ts';

export interface Outsiders {
  /** On the operator's account. */
  readonly tries: number;
  /** Log-ins of members at the same time. */
  readonly logins: number;
}

/** A code is taken once: the one before, the current one and the next are valid now. */
const CODE_MS = 30_000;

/** Milliseconds of the slowest sign-in under attack. */
export async function signInUnderAttack(
  api: string,
  operator: LocalOperator,
  outsiders: Outsiders,
): Promise<number> {
  const { cookie } = await signIn(api, operator, -CODE_MS, '');
  using rush = startHelper<typeof skills>(import.meta.resolve('./outsiders.ts'));
  await rush.call('start', { api, email: operator.email, ...outsiders });
  const times: number[] = [];
  for (const codeOffsetMs of [0, CODE_MS])
    times.push((await signIn(api, operator, codeOffsetMs, cookie)).ms);
  const responses = (await rush.call('end')).map(([response, count]) => `${count} × ${response}`);
  print(`sign-ins of the operator: ${times.map((ms) => `${ms.toFixed(0)} ms`).join(', ')}`);
  print(`outsiders: ${responses.join(', ')}`);
  return Math.max(...times);
}

async function signIn(
  api: string,
  { email, password, totpSecret }: LocalOperator,
  codeOffsetMs: number,
  cookie: string,
): Promise<{ readonly ms: number; readonly cookie: string }> {
  const startedAt = performance.now();
  const { code: totp } = oneTimeCode(totpSecret, Date.now() + codeOffsetMs);
  const response = await fetch(`${api}/api/v1/operators/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: new URL(api).origin, cookie },
    body: JSON.stringify({ email, password, totp }),
  });
  const text = await response.text();
  assert(response.status === 200, `the operator signs in: ${response.status} ${text}`);
  const device = response.headers.getSetCookie().find((each) => each.includes('device='));
  const [pair = ''] = (device ?? '').split(';');
  return { ms: performance.now() - startedAt, cookie: pair };
}
