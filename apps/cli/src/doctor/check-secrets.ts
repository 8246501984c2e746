//! Checks that keys and webhook secrets are the same on both sides.
import { createHmac } from 'node:crypto';
import { type Check, type Finding, faulty, fine, reasonOf, skipped } from './check.ts';
import type { Surroundings } from './surroundings.ts';

const RESPONSE_TIMEOUT_MS = 5000;

export const checkSecrets: Check = {
  name: 'secrets',
  needsServer: true,
  async run(surroundings) {
    const checks = [ofApiKey, ofMasterKey, ofPaymentWebhooks, ofSandboxWebhooks];
    const findings = await Promise.all(checks.map((run) => run(surroundings)));
    const wrong = findings.find(({ status }) => status === 'fault');
    if (wrong !== undefined) return wrong;
    const found = findings.filter(({ status }) => status === 'ok').map(({ message }) => message);
    return found.length > 0
      ? fine(`the server accepts: ${found.join(', ')}`)
      : skipped('no keys to check');
  },
};

async function ofApiKey({ url, apiKey }: Surroundings): Promise<Finding> {
  if (apiKey === undefined) return skipped('no API key');
  const status = await statusOf(`${url}/api/v1/auth/me`, apiKey);
  if (status !== 401) return fine('API key');
  return faulty(
    'wrong-secret',
    `the server at ${url} rejects the API key ${apiKey.slice(0, 10)}…`,
    'set HOLDFAST_API_KEY to a key of this server, or create one with `holdfast keys create`',
  );
}

async function ofMasterKey({ url, masterKey }: Surroundings): Promise<Finding> {
  if (masterKey === undefined) return skipped('no master key');
  const status = await statusOf(`${url}/api/v1/marketplaces?limit=1`, masterKey);
  if (status !== 401) return fine('master key');
  return faulty(
    'wrong-secret',
    'the server rejects the master key',
    "HOLDFAST_MASTER_KEY_HASH must be the key's SHA-256 in hex, in every API process",
  );
}

async function statusOf(url: string, bearer: string): Promise<number> {
  const headers = { authorization: `Bearer ${bearer}` };
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS) });
  await response.arrayBuffer();
  return response.status;
}

/**
 * A correctly signed message without meaning: the server refuses its content, not its signature,
 * and stores nothing of it.
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
    const response = await fetch(`${url}/api/v1/webhooks/payment-provider`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'svix-id': 'doctor',
        'svix-timestamp': timestamp,
        'svix-signature': `v1,${mac}`,
      },
      body,
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    });
    await response.arrayBuffer();
    if (response.status !== 401) return fine('PAYMENT_WEBHOOK_SECRET');
    return faulty(
      'wrong-secret',
      "PAYMENT_WEBHOOK_SECRET in this environment differs from the server's",
      "set PAYMENT_WEBHOOK_SECRET to the provider's secret in every API process, then restart them",
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

/** The last responses to the webhooks of the sandbox's providers. */
async function ofSandboxWebhooks({ sandbox }: Surroundings): Promise<Finding> {
  if (sandbox === undefined) return skipped('no sandbox');
  const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
  const found = await fetch(`${sandbox}/control/webhooks`, { signal }).then(
    (response) => response.json() as Promise<{ webhooks?: readonly SentWebhook[] }>,
    () => undefined,
  );
  for (const provider of ['payment', 'escrow']) {
    const [last] = (found?.webhooks ?? [])
      .filter((each) => each.provider === provider && each.attempts.length > 0)
      .toSorted((one, other) => other.createdAt.localeCompare(one.createdAt));
    if (last?.attempts.at(-1)?.status === 401)
      return faulty(
        'wrong-secret',
        `the server rejected the last webhook of the ${provider} provider: invalid signature`,
        `${provider.toUpperCase()}_WEBHOOK_SECRET must match the provider's secret`,
      );
  }
  return fine('sandbox webhook secrets');
}
