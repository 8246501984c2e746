import { StatementView } from '@holdfast/contract/records/statement-records';
import { manualClock } from '@holdfast/kernel/clock';
import type { UserId } from '@holdfast/kernel/ids';
import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import { creditBalance } from '../../accounts/books/credit-balance.ts';
import { debitBalance } from '../../accounts/books/debit-balance.ts';
import { reserveBalance } from '../../accounts/books/reserve-balance.ts';
import { spendReserved } from '../../accounts/books/spend-reserved.ts';
import { unreserveBalance } from '../../accounts/books/unreserve-balance.ts';
import { useMarket } from '../../testing/use-world.ts';

const clock = manualClock(Date.parse('2026-11-02T10:00:00Z'));
const MINUTE = 60_000;
const { world, market } = useMarket({ clock });

const isStatement = Compile(StatementView);

async function statementOf(user: UserId, query = '') {
  const response = await market.send('GET', `/users/${user}/statement${query}`);
  expect(response.status, response.text).toBe(200);
  const { data } = response.json.data;
  expect([...isStatement.Errors(data)]).toEqual([]);
  return data as StatementView;
}

/** Five changes, a minute apart, the first at ten o'clock. */
async function busyUser(): Promise<{ user: UserId; startedAt: number }> {
  const { app } = world;
  const { call } = market;
  const user = await market.user();
  const startedAt = clock.now();
  const steps = [
    () => creditBalance(app, call, user, { amount: '100.00', reference: 'first' }),
    () => reserveBalance(app, call, user, { amount: '30.00' }),
    () => unreserveBalance(app, call, user, { amount: '10.00' }),
    () => debitBalance(app, call, user, { amount: '0.01', description: '=cmd|"calc"!A1' }),
    () => spendReserved(app, call, user, { amount: '20.00' }),
  ];
  for (const step of steps) {
    await step();
    clock.advance(MINUTE);
  }
  return { user, startedAt };
}

const at = (instant: number) => encodeURIComponent(new Date(instant).toISOString());

describe('getting the statement of a user', () => {
  it('lists every change with the balance after it, from zero to the present balance', async () => {
    const { user } = await busyUser();
    const { opening, closing, lines, ...about } = await statementOf(user);
    expect(about).toMatchObject({ subjectType: 'User', subjectId: user, currency: 'USD' });
    expect(opening.total).toBe('0.00');
    expect(closing).toEqual({ available: '79.99', reserved: '0.00', total: '79.99' });
    expect(lines.map(({ kind, change, balance }) => [kind, change.total, balance.total])).toEqual([
      ['credit', '100.00', '100.00'],
      ['reserve', '0.00', '100.00'],
      ['unreserve', '0.00', '100.00'],
      ['debit', '-0.01', '99.99'],
      ['spend', '-20.00', '79.99'],
    ]);
    expect(lines[1]?.change).toEqual({ available: '-30.00', reserved: '30.00', total: '0.00' });
    expect(lines[0]?.reference).toBe('first');
  });

  it('continues where the previous period ended', async () => {
    const { user, startedAt } = await busyUser();
    const cuts = [startedAt, startedAt + MINUTE, startedAt + 3 * MINUTE, startedAt + 9 * MINUTE];
    const whole = await statementOf(user);
    const parts: StatementView[] = [];
    for (const [index, cut] of cuts.entries()) {
      const from = index === 0 ? '' : `&from=${at(cuts[index - 1] as number)}`;
      parts.push(await statementOf(user, `?to=${at(cut)}${from}`));
    }
    expect(parts.map(({ lines }) => lines.length)).toEqual([0, 1, 2, 2]);
    expect(parts.flatMap(({ lines }) => lines)).toEqual(whole.lines);
    for (const [index, { opening }] of parts.entries())
      expect(opening).toEqual(parts[index - 1]?.closing ?? whole.opening);
    expect(parts.at(-1)?.closing).toEqual(whole.closing);
  });

  it('is whole over many pages, as JSON and as a table', async () => {
    const user = await market.user();
    const amounts = Array.from(
      { length: 1203 },
      (_, index) => `0.${String(1 + (index % 99)).padStart(2, '0')}`,
    );
    await Promise.all(
      amounts.map((amount) => creditBalance(world.app, market.call, user, { amount })),
    );
    const cents = amounts.reduce((sum, amount) => sum + BigInt(amount.slice(2)), 0n);
    const { lines, closing } = await statementOf(user);
    expect(lines).toHaveLength(1203);
    expect(closing.total.replace('.', '')).toBe(String(cents));
    const table = await market.send('GET', `/users/${user}/statement?format=csv`);
    expect(table.headers['content-type']).toBe('text/csv; charset=utf-8');
    const rows = table.text.trimEnd().split('\r\n');
    expect(rows).toHaveLength(1 + 1 + 1203 + 1);
    expect(rows.at(-1)?.endsWith(`,${closing.available},0.00,${closing.total}`)).toBe(true);
  });

  it('escapes text that a spreadsheet would run', async () => {
    const { user } = await busyUser();
    const { text } = await market.send('GET', `/users/${user}/statement?format=csv`);
    expect(text).toContain(`"'=cmd|""calc""!A1"`);
  });

  it('is empty for a user without money', async () => {
    const { lines, closing } = await statementOf(await market.user(), '?currency=XLM');
    expect([lines, closing.total]).toEqual([[], '0.00']);
  });

  it('is refused for a user of another marketplace and for invalid times', async () => {
    const otherUser = await (await world.market()).user();
    const { user } = await busyUser();
    expect((await market.send('GET', `/users/${otherUser}/statement`)).status).toBe(404);
    for (const query of ['from=2026-02-30', 'from=2026-03-01&to=2026-02-01', 'format=pdf'])
      expect((await market.send('GET', `/users/${user}/statement?${query}`)).status).toBe(400);
  });

  it.each([
    ['an amount was changed', 'update entry set amount = amount + 1 where id = $1'],
    ['a line is gone', 'delete from entry where id = $1'],
  ])('is refused when %s', async (_what, tamper) => {
    const { user } = await busyUser();
    const { lines } = await statementOf(user);
    await world.rows(tamper, [lines[3]?.entryId]);
    const response = await market.send('GET', `/users/${user}/statement`);
    expect([response.status, response.json.error.code]).toEqual([500, 'STATEMENT_UNBALANCED']);
  });
});
