//! `holdfast webhooks`: endpoints that events are sent to, what became of each, and repairs.
import type { Holdfast, NewWebhookEndpoint, WebhookDelivery, WebhookEndpoint } from '@holdfast/sdk';
import type { Command } from 'commander';
import { usageFault } from '../command-fault.ts';
import type { Column } from '../terminal/table.ts';
import { timeText } from '../terminal/words.ts';
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
  { head: 'TRIES', of: ({ attemptCount }) => String(attemptCount), isRight: true },
  { head: 'LAST', of: ({ attempts }) => lastAnswer(attempts.at(-1)) },
  { head: 'AT', of: ({ updatedAt }) => timeText(updatedAt) },
];

function lastAnswer(attempt: WebhookDelivery['attempts'][number] | undefined): string | null {
  if (attempt === undefined) return null;
  return `${attempt.status ?? attempt.reason} in ${attempt.latencyMs} ms`;
}

type Types = WebhookEndpoint['types'];
const typesOf = (text: string | undefined) => text?.split(',') as Types | undefined;

export function webhooksCommand(world: ProgramWorld, program: Command): void {
  const webhooks = program.command('webhooks').description('endpoints that events are sent to');
  const list = webhooks.command('list').description('list endpoints, newest first');
  listCommand(world, list, ENDPOINTS, (run, { limit }) =>
    run.holdfast().webhookEndpoints.list({ limit }),
  );
  const get = (holdfast: Holdfast, id: string) => holdfast.webhookEndpoints.get(id);
  getCommand(world, webhooks, 'show an endpoint', get, showEndpoint);
  const create = webhooks
    .command('create <url>')
    .description('send events to this address from now on; its secret is shown once')
    .option('--types <types>', 'such as order.*,dispute.resolved')
    .option('--description <text>', 'kept with it');
  does<{ types?: string; description?: string }>(world, create, async (run, options, url) => {
    const { description } = options;
    const input = { url, description, types: typesOf(options.types) };
    showEndpoint(run, await run.holdfast().webhookEndpoints.create(input));
  });
  const test = webhooks.command('test <id>').description('send it a test event');
  does(world, test, async (run, _, id) => {
    const replay = await run.holdfast().webhookEndpoints.sendTest(id);
    showRecord(run, replay, [['kind', replay.kind]]);
  });
  stateCommands(world, webhooks);
  repairCommands(world, webhooks);
}

function stateCommands(world: ProgramWorld, webhooks: Command): void {
  const pause = webhooks
    .command('pause <id>')
    .description('send nothing for a while; what comes is kept')
    .option('--reason <reason>', 'kept with it');
  does<{ reason?: string }>(world, pause, async (run, { reason }, id) =>
    showEndpoint(run, await run.holdfast().webhookEndpoints.pause(id, { reason })),
  );
  const resume = webhooks.command('resume <id>').description('send again, the backlog first');
  does(world, resume, async (run, _, id) =>
    showEndpoint(run, await run.holdfast().webhookEndpoints.resume(id)),
  );
  const rotate = webhooks
    .command('rotate <id>')
    .description('a new secret; the old one signs too until the overlap ends (--yes)')
    .option('--overlap <span>', 'such as 0s, 2h or 1d', '1d')
    .option('--yes', 'the old secret ends, and that is meant');
  does<{ overlap: string; yes?: boolean }>(world, rotate, async (run, options, id) => {
    const overlapSeconds = secondsIn(options.overlap);
    needsYes(options, `rotate ${id}: the old secret ends after ${options.overlap}`);
    const rotated = await run.holdfast().webhookEndpoints.rotateSecret(id, { overlapSeconds });
    showEndpoint(run, rotated);
  });
  const remove = webhooks
    .command('delete <id>')
    .description('take an endpoint out of use for good (--yes)')
    .option('--yes', 'it cannot be taken back, and is meant');
  does<{ yes?: boolean }>(world, remove, async (run, options, id) => {
    needsYes(options, `delete ${id}: nothing is sent there any more`);
    showEndpoint(run, await run.holdfast().webhookEndpoints.delete(id));
  });
}

function repairCommands(world: ProgramWorld, webhooks: Command): void {
  const deliveries = webhooks
    .command('deliveries <id>')
    .description('what was sent, and what was answered')
    .option('--outcome <outcome>', 'only those that ended so')
    .option('--event <evt>', 'only those of this event');
  type Filters = { outcome?: WebhookDelivery['outcome']; event?: string };
  listCommand<WebhookDelivery, Filters>(world, deliveries, DELIVERIES, (run, wanted, id) => {
    const { outcome, event: eventId, limit } = wanted;
    return run.holdfast().webhookEndpoints.listDeliveries(id, { outcome, eventId, limit });
  });
  const replay = webhooks
    .command('replay <id>')
    .description('send one event again, or everything since a time')
    .option('--event <evt>', 'this event')
    .option('--since <cursor>', 'everything behind a time or an event id');
  does<{ event?: string; since?: string }>(world, replay, async (run, { event, since }, id) => {
    if ((event === undefined) === (since === undefined))
      throw usageFault('one of --event and --since is needed, and not both');
    const input = { eventId: event, since };
    const begun = await run.holdfast().webhookEndpoints.replay(id, input);
    showRecord(run, begun, [
      ['kind', begun.kind],
      ['endpoint', begun.webhookEndpointId],
    ]);
  });
}

function showEndpoint(run: Run, endpoint: NewWebhookEndpoint): void {
  showRecord(run, endpoint, [
    ['url', endpoint.url],
    ['secret', endpoint.secret],
    ['types', endpoint.types.join(', ')],
    ['description', endpoint.description],
    ['backlog', String(endpoint.backlog)],
    ['failing since', timeText(endpoint.failingSince)],
    ['next try', timeText(endpoint.nextTryAt)],
    ['paused', endpoint.pauseReason],
    ['last delivered', timeText(endpoint.lastDeliveredAt)],
    ['old secret until', timeText(endpoint.oldSecretUntil)],
  ]);
  if (endpoint.secret !== undefined && !run.terminal.isJson)
    run.terminal.note('  keep the secret now: it is not shown again');
}
