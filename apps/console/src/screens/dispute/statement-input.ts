//! Reads the form of a side's statement: a text, and evidence with one piece per line.
import { EVIDENCE_MAX, LENGTHS } from '@holdfast/contract/limits';

export interface StatementInput {
  readonly statement?: string;
  readonly evidence?: readonly string[];
}

/** What to send; a text says what is missing or too much. */
export function readStatementInput(statement: string, lines: string): StatementInput | string {
  const trimmed = statement.trim();
  const evidence = lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (trimmed === '' && evidence.length === 0) return 'Enter a statement or evidence.';
  if (evidence.length > EVIDENCE_MAX) return `At most ${EVIDENCE_MAX} items of evidence at a time.`;
  if (evidence.some(({ length }) => length > LENGTHS.url))
    return `A line of evidence can have at most ${LENGTHS.url} characters.`;
  return {
    ...(trimmed !== '' && { statement: trimmed }),
    ...(evidence.length > 0 && { evidence }),
  };
}
