//! `holdfast webhooks`: manages endpoints, lists deliveries, and resends them.
import type { Holdfast, NewWebhookEndpoint, WebhookDelivery, WebhookEndpoint } from '@holdfast/sdk';
import type { Command } from 'commander';
import { usageFault } from '../command-fault.ts';
import { COMMAND } from '../entries.ts';
import type { Column } from '../terminal/table.ts';
import { countText, timeText } from '../terminal/words.ts';
import { does, needsYes, type ProgramWorld, type Run, secondsIn } from './run.ts';
import { getCommand, listCommand, showRecord, statusColumn } from './show.ts';

const ENDPOINTS: readonly Column<WebhookEndpoint>[] = [
  { head: 'ID', of: ({ id }) => id },
  statusColumn(),
  { head: 'URL', of: ({ url }) => url },
  { head: 'TYPES', of: ({ types }) => types.join(',') },
  { head: 'BACKLOG', of: ({ backlog }) => String(backlog), isRight: true },
  { head: 'FAILING SINCE', of: ({ failingSince }) => timeText(failingSince) },
];

const DELIVERIES: readonly Column<WebhookDelivery>[] = [
  { head: 'EVENT', of: ({ eventId }) => eventId },
  { head: 'TYPE', of: ({ eventType }) => eventType },
  { head: 'OUTCOME', of: ({ outcome }) => outcome },
  { head: 'ATTEMPTS', of: ({ attemptCount }) => String(attemptCount), isRight: true },
  { head: 'LAST RESPONSE', of: ({ attempts }) => lastResponse(attempts.at(-1)) },
  { head: 'UPDATED', of: ({ updatedAt }) => timeText(updatedAt) },
];

function lastResponse(attempt: WebhookDelivery['attempts'][number] | undefined): string | null {
  if (attempt === undefined) return null;
  return `${attempt.status ?? attempt.reason} in ${attempt.latencyMs} ms`;
}

type Types = WebhookEndpoint['types'];
const typesOf = (text: string | undefined) => text?.split(',') as Types | undefined;

export function webhooksCommand(world: ProgramWorld, program: Command): void {
  const webhooks = program
    .command('webhooks')
    .description('manage webhook endpoints and deliveries');
  const list = webhooks.command('list').description('list endpoints, newest first');
  listCommand(world, list, ENDPOINTS, (run, { limit }) =>
    run.holdfast().webhookEndpoints.list({ limit }),
  );
  const get = (holdfast: Holdfast, id: string) => holdfast.webhookEndpoints.get(id);
  getCommand(world, webhooks, 'show an endpoint', get, showEndpoint);
  const create = webhooks
    .command('create <url>')
    .description('add an endpoint; the signing secret is shown only once')
    .option(
      '--types <types>',
      'event types to deliver, such as order.*,dispute.resolved (default: all)',
    )
    .option('--description <text>', 'description of the endpoint');
  does<{ types?: string; description?: string }>(world, create, async (run, options, url) => {
    const { description } = options;
    const input = { url, description, types: typesOf(options.types) };
    showEndpoint(run, await run.holdfast().webhookEndpoints.create(input));
  });
  const test = webhooks.command('test <id>').description('send a test message to an endpoint');
  does(world, test, async (run, _, id) => {
    const replay = await run.holdfast().webhookEndpoints.sendTest(id);
    showRecord(run, replay, [['kind', replay.kind]]);
    showDeliveryHint(run, id);
  });
  stateCommands(world, webhooks);
  repairCommands(world, webhooks);
}

function stateCommands(world: ProgramWorld, webhooks: Command): void {
  const pause = webhooks
    .command('pause <id>')
    .description('pause deliveries; events are queued')
    .option('--reason <reason>', 'reason, stored with the endpoint');
  does<{ reason?: string }>(world, pause, async (run, { reason }, id) =>
    showEndpoint(run, await run.holdfast().webhookEndpoints.pause(id, { reason })),
  );
  const resume = webhooks.command('resume <id>').description('resume deliveries, oldest first');
  does(world, resume, async (run, _, id) =>
    showEndpoint(run, await run.holdfast().webhookEndpoints.resume(id)),
  );
  const rotate = webhooks
    .command('rotate <id>')
    .description(
      'rotate the signing secret; deliveries are signed with both secrets until the overlap ends (requires --yes)',
    )
    .option(
      '--overlap <duration>',
      'how long deliveries are signed with both secrets, such as 0s, 2h or 1d',
      '1d',
    )
    .option('--yes', 'confirm: the old secret stops working after the overlap');
  does<{ overlap: string; yes?: boolean }>(world, rotate, async (run, options, id) => {
    const overlapSeconds = secondsIn(options.overlap);
    needsYes(options, `the old secret stops working ${options.overlap} after rotating ${id}`);
    const rotated = await run.holdfast().webhookEndpoints.rotateSecret(id, { overlapSeconds });
    showEndpoint(run, rotated);
  });
  const remove = webhooks
    .command('delete <id>')
    .description('disable an endpoint permanently (requires --yes)')
    .option('--yes', 'confirm: cannot be undone');
  does<{ yes?: boolean }>(world, remove, async (run, options, id) => {
    needsYes(options, `disabling ${id} stops all deliveries to it and cannot be undone`);
    showEndpoint(run, await run.holdfast().webhookEndpoints.delete(id));
  });
}

function repairCommands(world: ProgramWorld, webhooks: Command): void {
  const deliveries = webhooks
    .command('deliveries <id>')
    .description('list deliveries and responses')
    .option(
      '--outcome <outcome>',
      'only deliveries with this outcome: PENDING, DELIVERED or FAILED',
    )
    .option('--event <evt>', 'only deliveries of this event');
  type Filters = { outcome?: WebhookDelivery['outcome']; event?: string };
  listCommand<WebhookDelivery, Filters>(world, deliveries, DELIVERIES, (run, wanted, id) => {
    const { outcome, event: eventId, limit } = wanted;
    return run.holdfast().webhookEndpoints.listDeliveries(id, { outcome, eventId, limit });
  });
  const replay = webhooks
    .command('replay <id>')
    .description('resend one event, or all events since a time')
    .option('--event <evt>', 'id of the event')
    .option('--since <position>', 'all events after this time or event id');
  does<{ event?: string; since?: string }>(world, replay, async (run, { event, since }, id) => {
    if ((event === undefined) === (since === undefined))
      throw usageFault('pass exactly one of --event and --since');
    const input = { eventId: event, since };
    const started = await run.holdfast().webhookEndpoints.replay(id, input);
    showRecord(run, started, [
      ['kind', started.kind],
      ['endpoint', started.webhookEndpointId],
    ]);
    showDeliveryHint(run, id);
  });
}

function showDeliveryHint({ terminal }: Run, id: string): void {
  if (terminal.isJson) return;
  terminal.printStderr(`  → track the delivery with: ${COMMAND} webhooks deliveries ${id}`);
}

function showEndpoint(run: Run, endpoint: NewWebhookEndpoint): void {
  showRecord(run, endpoint, [
    ['url', endpoint.url],
    ['secret', endpoint.secret],
    ['types', endpoint.types.join(', ')],
    ['description', endpoint.description],
    ['backlog', countText(endpoint.backlog, 'event')],
    ['failing since', timeText(endpoint.failingSince)],
    ['next attempt', timeText(endpoint.nextTryAt)],
    ['pause reason', endpoint.pauseReason],
    ['last delivered', timeText(endpoint.lastDeliveredAt)],
    ['old secret valid until', timeText(endpoint.oldSecretUntil)],
  ]);
  if (endpoint.secret !== undefined && !run.terminal.isJson)
    run.terminal.printStderr('  save this secret now: it is not shown again');
}
