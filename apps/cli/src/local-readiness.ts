//! The readiness line of a running set, with its first API key and operators.
import {
  type CreateOperator,
  createOperators,
  type LocalOperator,
  withPassword,
} from './local-operators.ts';
import type { Secrets } from './local-secrets.ts';

/** What tools and tests rely on: the readiness line of `npm run dev`. */
export interface Readiness {
  readonly ready: true;
  readonly api: string;
  readonly sandbox?: string;
  readonly masterKey: string;
  readonly apiKey: string;
  readonly marketplaceId: string;
  readonly surfaceBMarketplaceId: string;
  readonly paymentWebhookSecret: string;
  readonly escrowWebhookSecret: string;
  /** Where operators sign in, and as whom. */
  readonly console: string;
  readonly operators: readonly LocalOperator[];
}

/** Creates a first marketplace with a key and operators. */
export async function furnish(
  api: string,
  secrets: Secrets,
  sandbox?: string,
  createOperator: CreateOperator = withPassword((path, body) =>
    postApi(api, secrets.masterKey, path, body),
  ),
): Promise<Readiness> {
  if (secrets.apiKey === undefined) {
    const scopes = ['read', 'write', 'support'];
    const created = await postApi(api, secrets.masterKey, '/auth/api-keys', {
      name: 'Development',
      scopes,
    });
    secrets.apiKey = created['key'] as string;
    secrets.marketplaceId = created['marketplaceId'] as string;
  }
  secrets.operators ??= await createOperators(createOperator, secrets.marketplaceId as string);
  const own = secrets as Required<Secrets>;
  return {
    ready: true,
    api,
    ...(sandbox === undefined ? {} : { sandbox }),
    masterKey: own.masterKey,
    apiKey: own.apiKey,
    marketplaceId: own.marketplaceId,
    surfaceBMarketplaceId: own.surfaceBMarketplaceId,
    paymentWebhookSecret: own.paymentWebhookSecret,
    escrowWebhookSecret: own.escrowWebhookSecret,
    console: `${api}/console`,
    operators: own.operators,
  };
}

export async function postApi(
  api: string,
  key: string,
  path: string,
  body: unknown,
): Promise<Record<string, unknown>> {
  const response = await fetch(`${api}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.status !== 201)
    throw new Error(`POST ${path} returned ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { data: { data: Record<string, unknown> } }).data.data;
}
