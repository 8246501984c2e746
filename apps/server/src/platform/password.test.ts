import { expect, it } from 'vitest';
import { type PasswordLine, Passwords } from './password.ts';

/** One slot that is taken, and a list of those who were served after it. */
async function busyPasswords(waitingPerAddress: number) {
  const passwords = new Passwords({ isStrict: false, waitingPerAddress, atOnce: 1 });
  const served: string[] = [];
  const waits: Promise<unknown>[] = [];
  const { promise: freed, resolve: free } = Promise.withResolvers<void>();
  const add = (line: PasswordLine, from: string) => {
    const wait = passwords.withHasher({ line, from }, async () => served.push(`${line} ${from}`));
    waits.push(wait.catch(({ code }) => served.push(`${code} ${from}`)));
  };
  waits.push(passwords.withHasher({ line: 'member', from: 'first' }, () => freed));
  const drain = async () => {
    free();
    await Promise.all(waits);
    return served;
  };
  return { add, drain };
}

it('serves the queues in turn: a full one delays no other', async () => {
  const { add, drain } = await busyPasswords(32);
  for (let host = 0; host < 40; host += 1) add('operator', `outsider ${host}`);
  add('member', 'a');
  add('member', 'b');
  add('known-operator', 'owner');
  const served = await drain();
  const refused = served.filter((each) => each.startsWith('SERVICE_UNAVAILABLE'));
  expect(refused).toHaveLength(8);
  const [first, second, third, fourth, fifth] = served.slice(8);
  expect([first, second, third]).toEqual([
    'known-operator owner',
    'operator outsider 0',
    'member a',
  ]);
  expect([fourth, fifth]).toEqual(['operator outsider 1', 'member b']);
});

it('lets few requests of one address wait, in all queues together', async () => {
  const { add, drain } = await busyPasswords(4);
  for (const line of ['member', 'member', 'operator', 'registration', 'member'] as const)
    add(line, 'one');
  add('member', 'other');
  const served = await drain();
  expect(served[0]).toBe('SERVICE_UNAVAILABLE one');
  expect(served.filter((each) => each.endsWith(' one'))).toHaveLength(5);
  expect(served).toContain('member other');
});
