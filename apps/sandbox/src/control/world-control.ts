//! Control of the sandbox itself: webhook targets, sent webhooks, and reset.
import type { PaymentTarget } from '../payment/notify.ts';
import type { Exchange } from '../router.ts';
import type { Change } from '../store.ts';
import type { Webhook, WebhookProvider, WebhookTarget } from '../webhooks.ts';
import type { World } from '../world.ts';
import { choiceOf, type Input, partOf, readInput, refuse, textOf } from './input.ts';

const PROVIDERS: readonly WebhookProvider[] = ['escrow', 'payment'];

/** Secrets go in and never come out. */
export function readWebhooks({ store }: World): object {
  const targets = PROVIDERS.map((provider) => {
    const stored = store.get<PaymentTarget>('webhook-target', provider);
    if (stored === undefined) return [provider, null];
    const { url, form } = stored;
    return [provider, form === undefined ? { url } : { url, form }];
  });
  return { targets: Object.fromEntries(targets), webhooks: store.all<Webhook>('webhook') };
}

export function writeTargets(world: World, exchange: Exchange): object {
  const input = readInput(exchange, PROVIDERS);
  const escrow = partOf(input, 'escrow', ['url', 'secret']);
  const payment = partOf(input, 'payment', ['url', 'secret', 'form']);
  const changes: Change[] = [];
  if (escrow !== undefined) changes.push(['webhook-target', 'escrow', targetOf(escrow)]);
  if (payment !== undefined) {
    const forms = ['vendor', 'normalised'] as const;
    const form = payment['form'] === undefined ? 'normalised' : choiceOf(payment, 'form', forms);
    const target: PaymentTarget = { ...targetOf(payment), form };
    // Svix's key is what follows the prefix, in base64; other text would sign with another key.
    if (!/^whsec_[A-Za-z0-9+/]+=*$/.test(target.secret)) refuse('secret', 'must be base64');
    changes.push(['webhook-target', 'payment', target]);
  }
  world.store.commit(changes);
  return { targets: (readWebhooks(world) as { targets: object }).targets };
}

/** Only where webhooks go is kept; the ledger makes its first accounts again by itself. */
export function resetWorld(world: World): object {
  const { store } = world;
  const targets = PROVIDERS.map(
    (provider): Change => [
      'webhook-target',
      provider,
      store.get<WebhookTarget>('webhook-target', provider) ?? null,
    ],
  );
  store.reset();
  store.commit(targets);
  const { number } = world.ledger.head();
  return { reset: true, ledger: number };
}

function targetOf(input: Input): WebhookTarget {
  const url = textOf(input, 'url');
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) refuse('url', 'must be http or https');
  const secret = textOf(input, 'secret');
  if (!/^whsec_./.test(secret)) refuse('secret', 'must start with whsec_');
  return { url, secret };
}
