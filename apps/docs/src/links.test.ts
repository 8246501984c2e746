//! Links between files become links of the site; a dead link fails the build.
import { expect, it } from 'vitest';
import { rewriteLinks } from './links.ts';

const from = (text: string) => rewriteLinks('docs/guides/orders.md', text).text;

it.each([
  ['[events](events.md)', '[events](/docs/guides/events/)'],
  ['[a part](../guides/events.md#pulling)', '[a part](/docs/guides/events/#pulling)'],
  ['[here](#milestones)', '[here](/docs/guides/orders/#milestones)'],
  ['[all](../decisions/README.md)', '[all](/docs/decisions/)'],
  ['[a folder](../decisions)', '[a folder](/docs/decisions/)'],
  ['[first](../../README.md#quickstart)', '[first](/docs/quickstart/#quickstart)'],
  ['[to copy](../reference/.env.example)', '[to copy](/docs/files/docs/reference/env.example.txt)'],
  ['[elsewhere](https://restate.dev)', '[elsewhere](https://restate.dev)'],
  ['[a source](../../tests/e2e/nginx)', 'a source'],
  ['`[no](link.md)`', '`[no](link.md)`'],
  ['```\n[no](link.md)\n```', '```\n[no](link.md)\n```'],
])('%s', (text, rewritten) => expect(from(text)).toBe(rewritten));

it('draws a picture into the page', () => {
  const drawn = from('![Its states](../reference/order-states.svg)');
  expect(drawn).toMatch(/^<figure class="drawing"><svg role="img" aria-label="Its states"/);
  expect(drawn).not.toContain('\n');
});

it('shows a photograph as a file of the site', () => {
  const shown = from('![An order](../images/console-order.png)');
  expect(shown).toBe('![An order](/docs/files/docs/images/console-order.png)');
});

it.each(['[gone](nothing.md)', '![gone](nothing.svg)'])('refuses %s', (text) => {
  expect(() => from(text)).toThrow(/nothing/);
});
