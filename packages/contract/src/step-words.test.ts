import { expect, it } from 'vitest';
import { STEP_WORDS, type StepName, stepWords } from '#step-words';

it('has words for every step, with its number where it has one', () => {
  for (const [name, words] of Object.entries(STEP_WORDS)) {
    expect(stepWords(name.replace('#', '12'))).toBe(words.replace('#', '12'));
    expect(words).not.toBe(name);
  }
});

it('shows a milestone by its number', () => {
  expect(stepWords('resolve-2')).toBe('pay out funds for milestone 2');
  expect(stepWords('resolve')).toBe('pay out funds');
});

it('shows a step that it does not know as it is stored', () => {
  expect(stepWords('older-step-3')).toBe('older-step-3');
});

/** Never called: the compiler reads it, and complains when one of these lines compiles. */
export function doesNotCompile(): StepName[] {
  return [
    // @ts-expect-error a step without a phrase
    'pay-everybody',
    // @ts-expect-error a number where the step has none
    'fund-2',
  ];
}
