//! Derives cells from the crash points that a run passed: new steps are included automatically.
import { expect, it } from 'vitest';
import { type Cell, cellsOf, faultyVariants, type Variant } from './cell.ts';
import { SAGAS } from './sagas.ts';

const passes = (kind: string, ...steps: readonly string[]) => [
  `${kind}:start:after-tx`,
  ...steps.flatMap((step) => [`${kind}:${step}:before-send`, `${kind}:${step}:after-send`]),
];
const plain = (name: string, milestones: number): Variant => {
  const saga = SAGAS.find((row) => row.name === name);
  if (saga === undefined) throw new Error(`there is no ${name}`);
  return { saga, milestones, fault: null, isUndone: false };
};
const texts = (variants: readonly Variant[]) =>
  variants.map(({ fault, isUndone }) => [fault?.kind, fault?.step, isUndone].join(' '));
const crashPointsIn = (cells: readonly Cell[]) => cells.map(({ crashPoint }) => crashPoint);

it('refuses and drops every step that sends; a deployment also hides its contract', () => {
  const passed = passes('create-escrow', 'deploy');
  expect(texts(faultyVariants(plain('create escrow', 0), passed))).toEqual([
    'reject create-escrow:deploy true',
    'drop-after create-escrow:deploy false',
    'no-contract-id create-escrow:deploy false',
  ]);
});

it('does not expect an undo of a refusal after money has moved', () => {
  const passed = passes('release-order', 'approve-1', 'release-1', 'approve-2', 'release-2');
  const variants = faultyVariants(plain('release', 3), passed);
  expect(texts(variants).filter((text) => text.startsWith('reject'))).toEqual([
    'reject release-order:approve-1 true',
    'reject release-order:release-1 true',
    'reject release-order:approve-2 false',
    'reject release-order:release-2 false',
  ]);
});

it('gives a payment every reply at each call of the provider and each send', () => {
  const kinds = ['reject', 'drop-after', 'late', 'doubled'];
  const at = (step: string, undone: string) =>
    kinds.map((kind) => `${kind} ${step} ${kind === 'reject' ? undone : 'false'}`);
  expect(texts(faultyVariants(plain('cancel withdrawal', 0), []))).toEqual(
    at('cancel-withdrawal:cancel', 'true'),
  );
  expect(texts(faultyVariants(plain('pay through provider', 0), []))).toEqual([
    ...at('commit-withdrawal:create', 'false'),
    ...at('commit-withdrawal:commit', 'false'),
  ]);
  expect(
    texts(faultyVariants(plain('pay over network', 0), passes('commit-withdrawal', 'pay'))),
  ).toEqual(at('commit-withdrawal:pay', 'false'));
  expect(texts(faultyVariants(plain('refresh top-up', 0), []))).toHaveLength(3);
});

it('gives a job every reply too; what it only reads is never refused', () => {
  const read = (step: string) =>
    ['drop-after', 'late', 'doubled'].map((kind) => `${kind} ${step} false`);
  expect(texts(faultyVariants(plain('reverse top-up', 0), []))).toEqual(read('refresh-topup'));
  expect(texts(faultyVariants(plain('credit deposit', 0), []))).toEqual(read('deposits'));
  expect(texts(faultyVariants(plain('mirror out', 0), ['mirror:before-send']))).toEqual([
    'reject mirror false',
    ...read('mirror'),
  ]);
});

it('crashes at every point once, and under a fault only where the fault matters', () => {
  const passed = [
    ...passes('release-order', 'approve-1', 'release'),
    'release-order:again:before-tx',
    'release-order:start:after-tx',
  ];
  const variant = plain('release', 0);
  expect(crashPointsIn(cellsOf(variant, passed))).toHaveLength(6);
  const fault = { kind: 'drop-after', step: 'release-order:release' } as const;
  expect(crashPointsIn(cellsOf({ ...variant, fault }, passed))).toEqual([
    'release-order:start:after-tx',
    'release-order:release:before-send',
    'release-order:release:after-send',
    'release-order:again:before-tx',
  ]);
});
