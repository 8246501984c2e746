import { expect, it } from 'vitest';
import { OPERATION_KINDS } from '../platform/telemetry/metric-table.ts';
import { sagas } from './sagas.ts';

it('are the kinds of operations that metrics can name', () => {
  expect(sagas.map(({ kind }) => kind).sort()).toEqual([...OPERATION_KINDS]);
});
