import { expect, it } from 'vitest';
import { prettyBody } from '#screens/inbox/pretty-body.ts';

it('indents JSON and leaves all else alone', () => {
  expect(prettyBody('{"a":1}')).toBe('{\n  "a": 1\n}');
  expect(prettyBody('<b>no</b>')).toBe('<b>no</b>');
});
