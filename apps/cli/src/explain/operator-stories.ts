//! The stories of what operators look at: reconciliation runs, exceptions and keys.
import type { Holdfast } from '@holdfast/sdk';
import { CommandFault } from '../command-fault.ts';
import { timeText } from '../terminal/words.ts';
import type { Story } from './story.ts';
import { entryItems } from './traces.ts';

const ENTRIES_MAX = 50;

export async function runStory(holdfast: Holdfast, id: string): Promise<Story> {
  const run = await holdfast.reconciliation.getRun(id);
  const { opened = 0, seenAgain = 0, cleared = 0 } = run.exceptions ?? {};
  return {
    kind: 'reconciliation run',
    id,
    status: run.status,
    record: run,
    fields: [
      ['compared with', run.providers.join(', ')],
      ['records since', timeText(run.windowFrom)],
      ['found', `${opened} new, ${seenAgain} again, ${cleared} cleared`],
      ['by', run.createdBy],
      ['operation', run.operationId],
      ['ended', timeText(run.endedAt)],
    ],
    items: await deedsOf(holdfast, id),
    next: 'holdfast recon exceptions',
  };
}

export async function exceptionStory(holdfast: Holdfast, id: string): Promise<Story> {
  const found = await holdfast.reconciliation.getException(id);
  const { ours, theirs, suggestedActions, resolution } = found;
  return {
    kind: 'exception',
    id,
    status: found.status,
    record: found,
    fields: [
      ['cause', found.cause],
      ['amount', `${found.amount} ${found.currency}`],
      ['compared with', found.provider],
      ['of', found.resourceId],
      ['ours', ours && JSON.stringify(ours)],
      ['theirs', theirs && JSON.stringify(theirs)],
      ['resolved by', resolution && `${resolution.action}: ${resolution.reason}`],
    ],
    items: await deedsOf(holdfast, id),
    ...(suggestedActions.length > 0 && {
      next: `holdfast recon resolve ${id} --action ${suggestedActions[0]} --reason … --yes`,
    }),
  };
}

export async function keyStory(holdfast: Holdfast, id: string): Promise<Story> {
  const keys = await holdfast.keys.list({ limit: 100 }).toArray();
  const key = keys.find((each) => each.id === id);
  if (key === undefined)
    throw new CommandFault(`there is no key ${id} in this marketplace`, {
      exit: 'notFound',
      code: 'API_KEY_NOT_FOUND',
    });
  return {
    kind: 'API key',
    id,
    record: key,
    fields: [
      ['name', key.name],
      ['scopes', key.scopes.join(', ')],
      ['marketplace', key.marketplaceId],
      ['follows', key.rotatedFrom],
      ['last used', timeText(key.lastUsedAt)],
      ['expires', timeText(key.expiresAt)],
      ['revoked', timeText(key.revokedAt)],
    ],
    items: await deedsOf(holdfast, id),
  };
}

async function deedsOf(holdfast: Holdfast, resourceId: string) {
  const query = { resourceId, limit: ENTRIES_MAX };
  const entries = await holdfast.audit.list(query).toArray(ENTRIES_MAX);
  return entries.toReversed().flatMap(entryItems);
}
