import { expect, it } from 'vitest';
import {
  FAULT_KINDS as SANDBOX_KINDS,
  FAULT_OPERATIONS as SANDBOX_OPERATIONS,
} from '../../../sandbox/src/faults.ts';
import { FAULT_KINDS, FAULT_OPERATIONS } from './sandbox.ts';

it('names the faults that the sandbox knows, in its words', () => {
  expect(FAULT_KINDS).toEqual(SANDBOX_KINDS);
  expect(FAULT_OPERATIONS).toEqual(SANDBOX_OPERATIONS);
});
