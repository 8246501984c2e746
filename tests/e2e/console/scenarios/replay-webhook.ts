//! An event that is resent from the console reaches its receiver with the same id.
import assert from 'node:assert/strict';
import { verifyWebhook } from '@holdfast/sdk/webhooks';
import { serve } from '../../../harness/serve.ts';
import { within } from '../../../harness/wait.ts';
import type { Environment } from '../environment.ts';
import { PATIENCE_MS } from '../operator.ts';

interface Arrival {
  readonly id: string;
  readonly body: string;
  readonly headers: Record<string, string>;
}

export async function replayWebhook(environment: Environment): Promise<() => Promise<void>> {
  const arrivals: Arrival[] = [];
  const { url, close } = await serve((request, body, response) => {
    const headers = request.headers as Record<string, string>;
    arrivals.push({ id: headers['webhook-id'] ?? '', headers, body: body.toString() });
    response.writeHead(204).end();
  });
  return async () => {
    try {
      await run(environment, `${url}/hook`, arrivals);
    } finally {
      await close();
    }
  };
}

async function run(
  environment: Environment,
  url: string,
  arrivals: readonly Arrival[],
): Promise<void> {
  const adam = await environment.at('adam');
  const { page } = adam;
  await adam.go('/webhooks');
  await adam.act(adam.button('Add endpoint'), 'Add', (dialog) =>
    dialog.getByLabel('URL').fill(url),
  );
  const secret = (await page.getByText(/^whsec_/).textContent()) ?? '';
  await adam.button('Done').click();
  const user = await environment.user();
  const isTheirs = ({ body }: Arrival) => /"user\.created"/.test(body) && body.includes(user.id);
  const first = await arrived(arrivals, isTheirs, 1);
  await verifyWebhook(first.body, first.headers, secret);

  await page.getByRole('row').filter({ hasText: url }).click();
  await page.waitForURL('**/webhooks/whe_*');
  const { eventId } = JSON.parse(first.body) as { eventId: string };
  await page.getByRole('row').filter({ hasText: eventId }).first().getByText('Delivered').click();
  await adam.act(adam.button('Resend'), 'Resend');
  const second = await arrived(arrivals, isTheirs, 2);
  assert.equal(second.id, first.id);
  assert.equal(second.body, first.body);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await adam.act(adam.button('Disable permanently'), 'Disable permanently');
}

/** Returns the arrival with this number. */
async function arrived(
  arrivals: readonly Arrival[],
  isWanted: (arrival: Arrival) => boolean,
  times: number,
): Promise<Arrival> {
  const last = () => arrivals.filter(isWanted)[times - 1];
  await within(PATIENCE_MS, () => last() !== undefined);
  const found = last();
  if (found === undefined) throw new Error(`the event did not arrive ${times} times`);
  return found;
}
