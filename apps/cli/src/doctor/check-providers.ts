//! Do both providers answer, and do they accept our keys?
import { type Check, type Finding, faulty, fine, reasonOf, skipped } from './check.ts';

interface Question {
  readonly provider: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly setting: string;
}

const ANSWER_MS_MAX = 5000;

export const checkProviders: Check = {
  name: 'providers',
  needsServer: false,
  async look({ settings }) {
    const questions = questionsOf(settings);
    if (questions.length === 0) return skipped('no provider is configured here');
    const findings = await Promise.all(questions.map(ask));
    const wrong = findings.find(({ status }) => status === 'fault');
    return wrong ?? fine(`${questions.map(({ provider }) => provider).join(' and ')} accept us`);
  },
};

/** Reads that change nothing, and that no key may do without. */
function questionsOf(settings: Readonly<Record<string, string | undefined>>): Question[] {
  const payment = settings['HOLDFAST_PAYMENT_PROVIDER_URL'];
  const escrow = settings['HOLDFAST_ESCROW_PROVIDER_URL'];
  const key = settings['HOLDFAST_PAYMENT_PROVIDER_KEY'] ?? '';
  const secret = settings['HOLDFAST_PAYMENT_PROVIDER_SECRET'] ?? '';
  const basic = Buffer.from(`${key}:${secret}`).toString('base64');
  const nobody = 'helper/get-escrow-by-contract-ids?contractIds%5B%5D=none';
  return [
    ...(payment
      ? [
          {
            provider: 'the payment provider',
            url: `${payment}/me/balance`,
            headers: { authorization: `Basic ${basic}` },
            setting: 'HOLDFAST_PAYMENT_PROVIDER_KEY and HOLDFAST_PAYMENT_PROVIDER_SECRET',
          },
        ]
      : []),
    ...(escrow
      ? [
          {
            provider: 'the escrow provider',
            url: `${escrow}/${nobody}`,
            headers: { 'x-api-key': settings['HOLDFAST_ESCROW_PROVIDER_KEY'] ?? '' },
            setting: 'HOLDFAST_ESCROW_PROVIDER_KEY',
          },
        ]
      : []),
  ];
}

async function ask({ provider, url, headers, setting }: Question): Promise<Finding> {
  try {
    const answer = await fetch(url, { headers, signal: AbortSignal.timeout(ANSWER_MS_MAX) });
    await answer.arrayBuffer();
    if (answer.status === 401 || answer.status === 403)
      return faulty(
        'provider-401',
        `${provider} does not accept our key: it answers ${answer.status}`,
        `correct ${setting}; until then its calls are refused`,
      );
    if (answer.status < 500) return fine(provider);
    throw new Error(`it answers ${answer.status}`);
  } catch (error) {
    return faulty(
      'provider-down',
      `${provider} does not answer at ${new URL(url).origin}: ${reasonOf(error)}`,
      'correct its URL, or wait: what is in flight is asked for until it answers',
    );
  }
}
