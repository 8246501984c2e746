//! Explains records of operators: reconciliation runs, exceptions and keys.
import type { Holdfast } from '@holdfast/sdk';
import { CommandFault } from '../command-fault.ts';
import { COMMAND } from '../entries.ts';
import { timeText } from '../terminal/words.ts';
import { type Explanation, explained } from './explanation.ts';
import { entryItems } from './record-timeline.ts';

const ENTRIES_MAX = 50;

export async function explainRun(holdfast: Holdfast, id: string): Promise<Explanation> {
  const run = await holdfast.reconciliation.getRun(id);
  const { opened = 0, seenAgain = 0, cleared = 0 } = run.exceptions ?? {};
  return explained('reconciliation run', run, {
    fields: [
      ['compared with', run.providers.join(', ')],
      ['records since', timeText(run.windowFrom)],
      ['exceptions', `${opened} new, ${seenAgain} still open, ${cleared} cleared`],
      ['started by', run.createdBy],
      ['operation', run.operationId],
      ['ended', timeText(run.endedAt)],
    ],
    items: await auditItemsOf(holdfast, id),
    next: `${COMMAND} recon exceptions`,
  });
}

export async function explainException(holdfast: Holdfast, id: string): Promise<Explanation> {
  const found = await holdfast.reconciliation.getException(id);
  const { ours, theirs, suggestedActions, resolution } = found;
  return explained('exception', found, {
    fields: [
      ['cause', found.cause],
      ['amount', `${found.amount} ${found.currency}`],
      ['compared with', found.provider],
      ['resource', found.resourceId],
      ['in Holdfast', ours && JSON.stringify(ours)],
      ['at the provider', theirs && JSON.stringify(theirs)],
      ['resolution', resolution && `${resolution.action}: ${resolution.reason}`],
    ],
    items: await auditItemsOf(holdfast, id),
    ...(suggestedActions.length > 0 && {
      next: `${COMMAND} recon resolve ${id} --action <${suggestedActions.join('|')}> --reason <reason>`,
    }),
  });
}

export async function explainKey(holdfast: Holdfast, id: string): Promise<Explanation> {
  const keys = await holdfast.keys.list({ limit: 100 }).toArray();
  const key = keys.find((each) => each.id === id);
  if (key === undefined)
    throw new CommandFault(`no key ${id} in this marketplace`, {
      exit: 'notFound',
      code: 'API_KEY_NOT_FOUND',
    });
  return explained('API key', key, {
    fields: [
      ['name', key.name],
      ['scopes', key.scopes.join(', ')],
      ['marketplace', key.marketplaceId],
      ['replaces', key.rotatedFrom],
      ['last used', timeText(key.lastUsedAt)],
      ['expires', timeText(key.expiresAt)],
      ['revoked', timeText(key.revokedAt)],
    ],
    items: await auditItemsOf(holdfast, id),
  });
}

async function auditItemsOf(holdfast: Holdfast, resourceId: string) {
  const query = { resourceId, limit: ENTRIES_MAX };
  const entries = await holdfast.audit.list(query).toArray(ENTRIES_MAX);
  return entries.toReversed().flatMap(entryItems);
}
