import { expect, test } from 'vitest';
import { PLAIN, styleFor } from './style.ts';
import { type Column, csvLines, fieldLines, tableLines } from './table.ts';

interface Row {
  readonly name: string;
  readonly amount: string | null;
}

const COLUMNS: readonly Column<Row>[] = [
  { head: 'NAME', of: ({ name }) => name, paint: (style, text) => style.green(text) },
  { head: 'AMOUNT', of: ({ amount }) => amount, isRight: true },
];
const ROWS: readonly Row[] = [
  { name: 'ada', amount: '1200.00' },
  { name: 'bob the seller', amount: null },
];

test('columns line up, numbers stand on the right, what is missing is a dash', () => {
  expect(tableLines(ROWS, COLUMNS, PLAIN)).toEqual([
    'NAME             AMOUNT',
    'ada             1200.00',
    'bob the seller        –',
  ]);
});

test('colours do not move columns', () => {
  const colored = tableLines(ROWS, COLUMNS, styleFor(true, {}));
  const bare = (line: string) =>
    ['2', '22', '32', '39'].reduce((text, code) => text.replaceAll(`\u001b[${code}m`, ''), line);
  expect(colored[1]).toContain('\u001b[32mada');
  expect(colored.map(bare)).toEqual(tableLines(ROWS, COLUMNS, PLAIN));
});

test('CSV quotes what has to be quoted, and hands no formula to a spreadsheet', () => {
  const rows = [
    { name: 'say "hi", twice', amount: '-5.00' },
    { name: '=cmd()', amount: null },
  ];
  expect(csvLines(rows, COLUMNS)).toEqual(['NAME,AMOUNT', '"say ""hi"", twice",-5.00', "'=cmd(),"]);
});

test('fields that have nothing to say are left out', () => {
  const fields = [
    ['title', 'A table'],
    ['closed as', null],
    ['id', 'ord_1'],
  ] as const;
  expect(fieldLines(fields, PLAIN)).toEqual(['  title  A table', '  id     ord_1']);
});
