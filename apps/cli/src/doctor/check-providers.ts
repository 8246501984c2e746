//! Checks that both providers respond and accept our keys.
import { type Check, type Finding, faulty, fine, reasonOf, skipped } from './check.ts';

interface Question {
  readonly provider: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The settings of the key, and of the URL. */
  readonly setting: string;
  readonly urlSetting: string;
}

const RESPONSE_TIMEOUT_MS = 5000;

export const checkProviders: Check = {
  name: 'providers',
  needsServer: false,
  async run({ settings }) {
    const questions = questionsOf(settings);
    if (questions.length === 0)
      return skipped('not checked: no provider URL is set in this environment');
    const findings = await Promise.all(questions.map(checkProvider));
    const wrong = findings.find(({ status }) => status === 'fault');
    const names = questions.map(({ provider }) => provider).join(' and ');
    return (
      wrong ?? fine(`${names} ${questions.length === 1 ? 'accepts the key' : 'accept the keys'}`)
    );
  },
};

/** Reads that change nothing and that every key must be allowed to make. */
function questionsOf(settings: Readonly<Record<string, string | undefined>>): Question[] {
  const payment = settings['HOLDFAST_PAYMENT_PROVIDER_URL'];
  const escrow = settings['HOLDFAST_ESCROW_PROVIDER_URL'];
  const key = settings['HOLDFAST_PAYMENT_PROVIDER_KEY'] ?? '';
  const secret = settings['HOLDFAST_PAYMENT_PROVIDER_SECRET'] ?? '';
  const basic = Buffer.from(`${key}:${secret}`).toString('base64');
  const noContract = 'helper/get-escrow-by-contract-ids?contractIds%5B%5D=none';
  return [
    ...(payment
      ? [
          {
            provider: 'the payment provider',
            url: `${payment}/me/balance`,
            headers: { authorization: `Basic ${basic}` },
            setting: 'HOLDFAST_PAYMENT_PROVIDER_KEY and HOLDFAST_PAYMENT_PROVIDER_SECRET',
            urlSetting: 'HOLDFAST_PAYMENT_PROVIDER_URL',
          },
        ]
      : []),
    ...(escrow
      ? [
          {
            provider: 'the escrow provider',
            url: `${escrow}/${noContract}`,
            headers: { 'x-api-key': settings['HOLDFAST_ESCROW_PROVIDER_KEY'] ?? '' },
            setting: 'HOLDFAST_ESCROW_PROVIDER_KEY',
            urlSetting: 'HOLDFAST_ESCROW_PROVIDER_URL',
          },
        ]
      : []),
  ];
}

async function checkProvider(question: Question): Promise<Finding> {
  const { provider, url, headers, setting, urlSetting } = question;
  try {
    const response = await fetch(url, {
      headers,
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    });
    await response.arrayBuffer();
    if (response.status === 401 || response.status === 403)
      return faulty(
        'provider-401',
        `${provider} rejects the key: HTTP ${response.status}`,
        `correct ${setting}`,
      );
    if (response.status < 500) return fine(provider);
    throw new Error(`HTTP ${response.status}`);
  } catch (error) {
    return faulty(
      'provider-down',
      `${provider} does not respond at ${new URL(url).origin}: ${reasonOf(error)}`,
      `check ${urlSetting}, or wait; pending operations are retried automatically`,
    );
  }
}
