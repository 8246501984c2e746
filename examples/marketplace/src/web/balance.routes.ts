//! Routes of the balance page: show it, top up, withdraw.
import type { FastifyInstance } from 'fastify';
import { startTopup } from '../money/topup.ts';
import { sendWithdrawal, withdraw } from '../money/withdraw.ts';
import { Refusal } from '../refusal.ts';
import type { Shop } from '../shop.ts';
import { balancePage, leavingPage } from './balance-page.ts';
import { amountIn, idIn } from './form.ts';
import { page, sendPage } from './layout.ts';
import { personOf, requirePerson } from './session.ts';

export function serveBalance(app: FastifyInstance, shop: Shop): void {
  app.get<{ Querystring: { message?: string } }>('/balance', async (request, reply) => {
    const person = personOf(shop, request);
    if (person?.userId === undefined || person.userId === null) {
      return reply.redirect('/sign-in', 303);
    }
    // The one page that calls Holdfast: the statement is made there, and it always adds up.
    const statement = await shop.holdfast.statements
      .user(person.userId, { currency: 'USD' })
      .result();
    const body = balancePage(shop, person, statement.ok ? statement.data : undefined);
    const { message } = request.query;
    return sendPage(
      reply,
      page(shop, person, { title: 'Balance', active: 'balance', messageName: message, body }),
    );
  });
  app.get('/balance/statement.csv', async (request, reply) => {
    const { userId } = requirePerson(shop, request);
    if (userId === null) throw new Refusal(403, 'Support accounts have no balance.');
    const table = await shop.holdfast.statements.userCsv(userId, { currency: 'USD' });
    return reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="statement.csv"')
      .send(await table.text());
  });
  app.post('/balance/topup', async (request, reply) => {
    const person = requirePerson(shop, request);
    const input = { amount: amountIn(request), form: idIn(request) };
    const payPage = await startTopup(shop, person, input);
    if (payPage === undefined) return reply.redirect('/balance?message=requested', 303);
    return sendPage(reply, leavingPage(payPage));
  });
  app.post('/balance/withdraw', async (request, reply) => {
    const person = requirePerson(shop, request);
    await withdraw(shop, person, { amount: amountIn(request), form: idIn(request) });
    return reply.redirect('/balance?message=withdrawing', 303);
  });
  app.post<{ Params: { id: string } }>('/balance/:id/send', async (request, reply) => {
    await sendWithdrawal(shop, requirePerson(shop, request), request.params.id);
    return reply.redirect('/balance?message=withdrawing', 303);
  });
}
