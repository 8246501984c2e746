//! The web server: safe headers, forms, errors as pages, and the routes of every page.
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { receiveWebhooks } from '../events/receive-webhooks.ts';
import { Refusal } from '../refusal.ts';
import type { Shop } from '../shop.ts';
import { serveAssets } from './assets.ts';
import { serveBalance } from './balance.routes.ts';
import { serveBrowse } from './browse.routes.ts';
import { html } from './html.ts';
import { page, sendPage } from './layout.ts';
import { serveOrders } from './orders.routes.ts';
import { personOf, requirePerson } from './session.ts';
import { serveSignIn } from './sign-in.routes.ts';
import { serveSupport } from './support.routes.ts';

/** No inline script or style, nothing from elsewhere, no frame around us. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export async function startWeb(shop: Shop): Promise<FastifyInstance> {
  const app = fastify({ bodyLimit: 16_384, forceCloseConnections: true });
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers({
      'content-security-policy': CONTENT_SECURITY_POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
    });
    mustComeFromHere(request);
  });
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_, body, done) => done(null, new URLSearchParams(String(body))),
  );
  app.setErrorHandler((error, request, reply) => showError(shop, error, request, reply));
  app.setNotFoundHandler((request, reply) =>
    showError(shop, new Refusal(404, 'Check the address, or go back to the shop.'), request, reply),
  );
  serveAssets(app);
  serveSignIn(app, shop);
  serveBrowse(app, shop);
  serveOrders(app, shop);
  serveBalance(app, shop);
  serveSupport(app, shop);
  await receiveWebhooks(app, shop);
  app.get('/live', (request, reply) => {
    const person = requirePerson(shop, request);
    reply.hijack();
    shop.live.join(person.id, reply.raw);
  });
  await app.listen({ port: shop.config.port, host: '127.0.0.1' });
  return app;
}

/** A form on another site cannot act for the signed-in person. */
function mustComeFromHere({ method, headers, url }: FastifyRequest): void {
  if (method === 'GET' || method === 'HEAD' || url === '/webhooks/holdfast') return;
  const site = headers['sec-fetch-site'];
  const { origin, host } = headers;
  const isOurs =
    site === undefined ? origin === undefined || isHost(origin, host) : site === 'same-origin';
  if (!isOurs)
    throw new Refusal(403, 'This form was sent from another site. Reload the page and try again.');
}

function isHost(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host;
}

function showError(
  shop: Shop,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const known = error instanceof Refusal ? error : undefined;
  if (known === undefined) complain(request, error);
  const status = known?.status ?? 500;
  const words =
    known?.message ??
    'The error is on our side. No money was lost. Check your orders and balance before you try again.';
  const back = request.headers.referer ?? '/';
  const body = html`
<section class="card narrow">
  <h1>${status === 404 ? 'Not found' : 'Something went wrong'}</h1>
  <p>${words}</p>
  <p><a class="button" href="${safeBack(back)}">Back</a></p>
</section>`;
  return sendPage(
    reply.code(status),
    page(shop, personOf(shop, request), { title: 'Sorry', body, isLive: false }),
  );
}

function complain({ method, url }: FastifyRequest, error: unknown): void {
  process.stderr.write(`${method} ${url}: ${String(error)}\n`);
}

/** Only a way back into the shop. */
function safeBack(referer: string): string {
  return URL.canParse(referer) ? new URL(referer).pathname : '/';
}
