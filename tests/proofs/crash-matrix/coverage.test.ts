//! Coverage of failpoints: reports those missing around a transaction, a signature or a send.
import { expect, it } from 'vitest';
import type { ReplyFault, Result } from './cell.ts';
import { coverageOf } from './coverage.ts';
import { SAGAS } from './sagas.ts';

const around = (step: string, ...whats: readonly string[]) =>
  whats.map((what) => `release-order:${step}:${what}`);
const TX = ['before-tx', 'in-tx', 'after-tx'];
const CLAIM = ['before-claim', 'in-claim', 'after-claim'];
const SEND = ['before-sign', 'after-sign', 'after-persist', 'before-send', 'after-send'];
const MARK = ['before-mark', 'in-mark', 'after-mark'];

function result(passed: readonly string[], kind?: ReplyFault): Result {
  const saga = SAGAS.find(({ name }) => name === 'release');
  if (saga === undefined) throw new Error('there is no release');
  const fault = kind === undefined ? null : { kind, step: 'release-order:release' };
  const cell = { saga, milestones: 0, fault, isUndone: false, crashPoint: null };
  return { ...cell, wrong: [], isMissed: false, ms: 0, response: 'success', passed };
}

it('counts the failpoints that a saga passes under any reply', () => {
  const done = around('release', ...CLAIM, ...SEND, 'after-reply', ...MARK);
  const late = [...done, ...around('again', ...TX)];
  const { text, missing } = coverageOf([
    result([...done, ...around('end', ...TX)]),
    result(late, 'drop-after'),
  ]);
  expect(missing).toEqual([]);
  expect(text).toBe(
    'release, 0 milestones: 18 crash points, 15 of them when every reply is done; 1 sends\n',
  );
});

it.each([
  ['in-tx', around('end', ...TX)],
  ['after-mark', around('release', ...CLAIM, ...MARK)],
  ['after-persist', around('release', ...SEND, 'after-reply')],
  ['after-reply', around('release', ...SEND, 'after-reply')],
])('reports that %s is missing', (what, all) => {
  const { missing } = coverageOf([
    result(all.filter((crashPoint) => !crashPoint.endsWith(`:${what}`))),
  ]);
  expect(missing).toHaveLength(1);
  expect(missing[0]).toContain(`no crash at release-order:`);
  expect(missing[0]).toContain(`:${what}`);
});
