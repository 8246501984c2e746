//! What a side says, as somebody typed it: a statement, and evidence of which each line is a piece.
import { EVIDENCE_MAX, LENGTHS } from '@holdfast/contract/limits';

export interface Said {
  readonly statement?: string;
  readonly evidence?: readonly string[];
}

/** What to send; a text says what is missing or too much. */
export function saidInput(statement: string, lines: string): Said | string {
  const said = statement.trim();
  const evidence = lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (said === '' && evidence.length === 0) return 'A statement or evidence is missing.';
  if (evidence.length > EVIDENCE_MAX) return `At most ${EVIDENCE_MAX} pieces at a time.`;
  if (evidence.some(({ length }) => length > LENGTHS.url))
    return `A line of evidence has at most ${LENGTHS.url} characters.`;
  return { ...(said !== '' && { statement: said }), ...(evidence.length > 0 && { evidence }) };
}
