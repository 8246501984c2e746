//! Takes a picture of the console's order page, with an order of the demo marketplace.
import { createTemporaryFolder } from '../../apps/cli/src/temporary-folder.ts';
import { buildConsole } from '../../tests/e2e/console/build.ts';
import { Environment } from '../../tests/e2e/console/environment.ts';
import { settled } from '../../tests/e2e/console/operator.ts';

/** A dispute split this order, so its money goes three ways. */
const ORDER_REF = 'demo-sofa';
/** The state of the order and its money; the rest of the page follows below. */
const CLIP = { x: 0, y: 0, width: 1280, height: 612 };

export async function photographOrder(path: string): Promise<void> {
  buildConsole();
  using pictures = createTemporaryFolder('holdfast-pictures');
  await using environment = await Environment.open(pictures.path);
  await environment.seed();
  const admin = await environment.at('adam');
  const { page } = admin;
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await admin.go(`/orders/${await orderNamed(environment, ORDER_REF)}`);
  await settled(page);
  await page.evaluate('document.fonts.ready');
  await page.screenshot({ path, clip: CLIP });
}

async function orderNamed({ holdfast }: Environment, clientOrderRef: string): Promise<string> {
  for await (const order of holdfast.orders.list())
    if (order.clientOrderRef === clientOrderRef) return order.id;
  throw new Error(`the demo has no order ${clientOrderRef}`);
}
