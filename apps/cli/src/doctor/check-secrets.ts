//! Are keys and webhook secrets the same on both sides?
import { createHmac } from 'node:crypto';
import { type Check, type Finding, faulty, fine, reasonOf, skipped } from './check.ts';
import type { Surroundings } from './surroundings.ts';

const ANSWER_MS_MAX = 5000;

export const checkSecrets: Check = {
  name: 'secrets',
  needsServer: true,
  async look(surroundings) {
    const looks = [ofApiKey, ofMasterKey, ofPaymentWebhooks, ofSandboxWebhooks];
    const findings = await Promise.all(looks.map((look) => look(surroundings)));
    const wrong = findings.find(({ status }) => status === 'fault');
    if (wrong !== undefined) return wrong;
    const told = findings.filter(({ status }) => status === 'ok').map(({ says }) => says);
    return told.length > 0
      ? fine(`the server knows ${told.join(', ')}`)
      : skipped('no key is known here');
  },
};

async function ofApiKey({ url, apiKey }: Surroundings): Promise<Finding> {
  if (apiKey === undefined) return skipped('no API key');
  const status = await statusOf(`${url}/api/v1/auth/me`, apiKey);
  if (status !== 401) return fine('API key');
  return faulty(
    'wrong-secret',
    `the server at ${url} does not know the API key ${apiKey.slice(0, 10)}…`,
    'use a key of this server: HOLDFAST_API_KEY, or make one with `holdfast keys create`',
  );
}

async function ofMasterKey({ url, masterKey }: Surroundings): Promise<Finding> {
  if (masterKey === undefined) return skipped('no master key');
  const status = await statusOf(`${url}/api/v1/marketplaces?limit=1`, masterKey);
  if (status !== 401) return fine('master key');
  return faulty(
    'wrong-secret',
    'the server does not know the master key',
    "HOLDFAST_MASTER_KEY_HASH must be the key's SHA-256 in hex, in every process",
  );
}

async function statusOf(url: string, bearer: string): Promise<number> {
  const headers = { authorization: `Bearer ${bearer}` };
  const answer = await fetch(url, { headers, signal: AbortSignal.timeout(ANSWER_MS_MAX) });
  await answer.arrayBuffer();
  return answer.status;
}

/**
 * A message that is signed rightly and says nothing: the server refuses what it says, not its
 * signature, and keeps nothing of it.
 */
async function ofPaymentWebhooks(surroundings: Surroundings): Promise<Finding> {
  const { url, settings, clock, offsetMs } = surroundings;
  const [secret] = (settings['PAYMENT_WEBHOOK_SECRET'] ?? '').split(',');
  if (!secret) return skipped('no PAYMENT_WEBHOOK_SECRET');
  const timestamp = String(Math.floor((clock.now() + offsetMs) / 1000));
  const body = '{"doctor":true}';
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const mac = createHmac('sha256', key).update(`doctor.${timestamp}.${body}`).digest('base64');
  try {
    const answer = await fetch(`${url}/api/v1/webhooks/payment-provider`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'svix-id': 'doctor',
        'svix-timestamp': timestamp,
        'svix-signature': `v1,${mac}`,
      },
      body,
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    });
    await answer.arrayBuffer();
    if (answer.status !== 401) return fine('PAYMENT_WEBHOOK_SECRET');
    return faulty(
      'wrong-secret',
      'PAYMENT_WEBHOOK_SECRET here is not what the server verifies with',
      "set the provider's own secret in every process, and start them again",
    );
  } catch (error) {
    return skipped(reasonOf(error));
  }
}

interface SentWebhook {
  readonly provider: string;
  readonly createdAt: string;
  readonly attempts: readonly { readonly status?: number }[];
}

/** What the pretend providers were answered last. */
async function ofSandboxWebhooks({ sandbox }: Surroundings): Promise<Finding> {
  if (sandbox === undefined) return skipped('no sandbox');
  const signal = AbortSignal.timeout(ANSWER_MS_MAX);
  const told = await fetch(`${sandbox}/control/webhooks`, { signal }).then(
    (answer) => answer.json() as Promise<{ webhooks?: readonly SentWebhook[] }>,
    () => undefined,
  );
  for (const provider of ['payment', 'escrow']) {
    const [last] = (told?.webhooks ?? [])
      .filter((each) => each.provider === provider && each.attempts.length > 0)
      .toSorted((one, other) => other.createdAt.localeCompare(one.createdAt));
    if (last?.attempts.at(-1)?.status === 401)
      return faulty(
        'wrong-secret',
        `the server refused the last webhook of the ${provider} provider: wrong signature`,
        `${provider.toUpperCase()}_WEBHOOK_SECRET must be the provider's own secret`,
      );
  }
  return fine('secrets of the sandbox');
}
