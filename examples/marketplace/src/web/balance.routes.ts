//! The balance: what there is, putting money in, taking it out.
import type { FastifyInstance } from 'fastify';
import { startTopup } from '../money/topup.ts';
import { sendWithdrawal, withdraw } from '../money/withdraw.ts';
import { Refusal } from '../refusal.ts';
import type { Shop } from '../shop.ts';
import { balancePage, leavingPage } from './balance-page.ts';
import { amountIn, idIn } from './form.ts';
import { page, sendPage } from './layout.ts';
import { mustBeSomebody, personOf } from './session.ts';

export function serveBalance(app: FastifyInstance, shop: Shop): void {
  app.get<{ Querystring: { told?: string } }>('/balance', async (request, reply) => {
    const person = personOf(shop, request);
    if (person?.userId === undefined || person.userId === null) {
      return reply.redirect('/sign-in', 303);
    }
    // The one page that reads through: a statement is Holdfast's to make, and it always adds up.
    const statement = await shop.holdfast.statements
      .user(person.userId, { currency: 'USD' })
      .result();
    const body = balancePage(shop, person, statement.ok ? statement.data : undefined);
    const { told } = request.query;
    return sendPage(reply, page(shop, person, { title: 'Balance', active: 'balance', told, body }));
  });
  app.get('/balance/statement.csv', async (request, reply) => {
    const { userId } = mustBeSomebody(shop, request);
    if (userId === null) throw new Refusal(403, 'You have no balance here.');
    const table = await shop.holdfast.statements.userCsv(userId, { currency: 'USD' });
    return reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="statement.csv"')
      .send(await table.text());
  });
  app.post('/balance/topup', async (request, reply) => {
    const person = mustBeSomebody(shop, request);
    const wish = { amount: amountIn(request), form: idIn(request) };
    const payPage = await startTopup(shop, person, wish);
    if (payPage === undefined) return reply.redirect('/balance?told=asking', 303);
    return sendPage(reply, leavingPage(payPage));
  });
  app.post('/balance/withdraw', async (request, reply) => {
    const person = mustBeSomebody(shop, request);
    await withdraw(shop, person, { amount: amountIn(request), form: idIn(request) });
    return reply.redirect('/balance?told=withdrawing', 303);
  });
  app.post<{ Params: { id: string } }>('/balance/:id/send', async (request, reply) => {
    await sendWithdrawal(shop, mustBeSomebody(shop, request), request.params.id);
    return reply.redirect('/balance?told=withdrawing', 303);
  });
}
