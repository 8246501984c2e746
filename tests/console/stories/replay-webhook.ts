//! A receiver gets an event; sent once more from the console, it comes with the same id.
import assert from 'node:assert/strict';
import { verifyWebhook } from '@holdfast/sdk/webhooks';
import { serve } from '../../harness/serve.ts';
import { within } from '../../harness/wait.ts';
import { PATIENCE_MS } from '../operator.ts';
import type { Stage } from '../stage.ts';

interface Arrival {
  readonly id: string;
  readonly body: string;
  readonly headers: Record<string, string>;
}

export async function replayWebhook(stage: Stage): Promise<() => Promise<void>> {
  const arrivals: Arrival[] = [];
  const { url, close } = await serve((request, body, response) => {
    const headers = request.headers as Record<string, string>;
    arrivals.push({ id: headers['webhook-id'] ?? '', headers, body: body.toString() });
    response.writeHead(204).end();
  });
  return async () => {
    try {
      await play(stage, `${url}/hook`, arrivals);
    } finally {
      await close();
    }
  };
}

async function play(stage: Stage, url: string, arrivals: readonly Arrival[]): Promise<void> {
  const adam = await stage.at('adam');
  const { page } = adam;
  await adam.go('/webhooks');
  await adam.act(adam.button('Make an endpoint'), 'Make it', (dialog) =>
    dialog.getByLabel('Address').fill(url),
  );
  const secret = (await page.getByText(/^whsec_/).textContent()) ?? '';
  await adam.button('I have it').click();
  const user = await stage.user();
  const isTheirs = ({ body }: Arrival) => /"user\.created"/.test(body) && body.includes(user.id);
  const first = await arrived(arrivals, isTheirs, 1);
  await verifyWebhook(first.body, first.headers, secret);

  await page.getByRole('row').filter({ hasText: url }).click();
  await page.waitForURL('**/webhooks/whe_*');
  const { eventId } = JSON.parse(first.body) as { eventId: string };
  await page.getByRole('row').filter({ hasText: eventId }).first().getByText('Delivered').click();
  await adam.act(adam.button('Send it once more'), 'Send it');
  const second = await arrived(arrivals, isTheirs, 2);
  assert.equal(second.id, first.id);
  assert.equal(second.body, first.body);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await adam.act(adam.button('Take out of use'), 'Take it out');
}

/** The last of so many. */
async function arrived(
  arrivals: readonly Arrival[],
  isWanted: (arrival: Arrival) => boolean,
  times: number,
): Promise<Arrival> {
  const last = () => arrivals.filter(isWanted)[times - 1];
  await within(PATIENCE_MS, () => last() !== undefined);
  const found = last();
  if (found === undefined) throw new Error(`it did not come ${times} times`);
  return found;
}
