//! Finds whatever has a name, or begins with it: GET /search. What the text looks like tells which
//! names it can be; each is looked up by its own index.
import type { SearchHitView } from '@holdfast/contract/console-records';
import { SEARCH_TYPES } from '@holdfast/contract/words';
import { instantText } from '@holdfast/kernel/clock';
import { microsOf, readId } from '@holdfast/kernel/ids';
import type { Call } from '../platform/call.ts';
import { maskEmail, maskName, maskText, seesPersonalData } from '../platform/mask.ts';
import type { Query } from '../platform/sql.ts';
import { read, type Transactor, type Tx } from '../platform/transact.ts';
import {
  BY_ID,
  byAddress,
  byClientOrderRef,
  byContract,
  byDepositHash,
  byEmail,
  byEntryNumber,
  byEntryReference,
  byExternalUserId,
  byHash,
  byIdempotencyKey,
  byPayin,
  byPaymentUser,
  byPayout,
  byProviderEvent,
  byRequestId,
  eventAt,
  type Found,
  namesOf,
  stretchOf,
} from './search-rows.ts';

export type Hit = Omit<Found, 'parentType' | 'parentId'> & {
  readonly matchedBy: SearchHitView['matchedBy'];
  readonly goTo: { readonly type: SearchHitView['type']; readonly id: string };
};

const HITS_MAX = 20;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type Way = readonly [SearchHitView['matchedBy'], Query];

export async function findAnything(app: Transactor, call: Call, text: string): Promise<Hit[]> {
  const wanted = text.trim();
  return read(app, call, async (tx) => {
    const hits: Hit[] = [];
    for (const [matchedBy, query] of waysFor(tx, wanted))
      for (const found of await tx.query<Found>(query)) hits.push(hitOf(matchedBy, found));
    const isExact = ({ matched }: Hit) => matched.toLowerCase() === wanted.toLowerCase();
    const sorted = [...hits.filter(isExact), ...hits.filter((hit) => !isExact(hit))];
    return withoutTwins(sorted)
      .slice(0, HITS_MAX)
      .map((hit) => masked(tx, hit));
  });
}

/** The names that the text can be, in the order of how sure that is. */
function waysFor(tx: Tx, text: string): Way[] {
  const lower = text.toLowerCase();
  const [stretch, lowered] = [stretchOf(text), stretchOf(lower)];
  const prefix = /^([a-z]+)_[0-9a-z]*$/.exec(lower)?.[1] ?? '';
  const byId = Object.hasOwn(BY_ID, prefix) ? BY_ID[prefix] : undefined;
  const ways: (Way | false | undefined)[] = [
    byId && ['id', byId(tx, lowered)],
    prefix === 'evt' && eventWay(tx, lower),
    /^[0-9a-f]{6,64}$/.test(lower) && ['transactionHash', byHash(tx, lowered)],
    /^[0-9a-f]{6,64}$/.test(lower) && ['transactionHash', byDepositHash(tx, lowered)],
    UUID.test(lower) && ['requestId', byRequestId(tx, stretch)],
    UUID.test(lower) && ['idempotencyKey', byIdempotencyKey(tx, stretch)],
    /^g[a-z2-7]{5,55}$/.test(lower) && [
      'ledgerAddress',
      byAddress(tx, stretchOf(text.toUpperCase())),
    ],
    /^c[a-z2-7]{5,55}$/.test(lower) && [
      'contractId',
      byContract(tx, stretchOf(text.toUpperCase())),
    ],
    /^[1-9]\d{5,17}$/.test(text) && ['id', byEntryNumber(tx, stretch)],
    ['email', byEmail(tx, namesOf(lower))],
    ['clientOrderRef', byClientOrderRef(tx, namesOf(text))],
    ['externalUserId', byExternalUserId(tx, namesOf(text))],
    ['paymentAccount', byPaymentUser(tx, stretch)],
    ['payin', byPayin(tx, stretch)],
    ['payout', byPayout(tx, stretch)],
    ['providerEventId', byProviderEvent(tx, stretch)],
    ['reference', byEntryReference(tx, stretch)],
  ];
  return ways.filter((way) => way !== undefined && way !== false);
}

function eventWay(tx: Tx, text: string): Way | undefined {
  const id = readId('evt', text);
  if (id === undefined) return undefined;
  return ['id', eventAt(tx, id, instantText(Math.floor(microsOf(id) / 1000)))];
}

function hitOf(matchedBy: Hit['matchedBy'], found: Found): Hit {
  const { parentType, parentId, ...hit } = found;
  const isKnown = SEARCH_TYPES.some((type) => type === parentType);
  const goTo =
    parentType && isKnown && parentId
      ? { type: parentType, id: parentId }
      : { type: hit.type, id: hit.id };
  return { ...hit, matchedBy, goTo };
}

/** What two names lead to is one hit: a pay-in's code is our own id, for one. */
function withoutTwins(hits: readonly Hit[]): Hit[] {
  const seen = new Set<string>();
  return hits.filter(({ type, id }) => {
    const isNew = !seen.has(`${type} ${id}`);
    seen.add(`${type} ${id}`);
    return isNew;
  });
}

const MASKED_BY: Partial<Record<Hit['matchedBy'], (text: string) => string>> = {
  email: maskEmail,
  externalUserId: maskName,
  paymentAccount: maskText,
};

function masked(tx: Tx, hit: Hit): Hit {
  if (hit.type !== 'User' || seesPersonalData(tx.actor)) return hit;
  const mask = MASKED_BY[hit.matchedBy] ?? ((text: string) => text);
  return { ...hit, title: maskName(hit.title), matched: mask(hit.matched) };
}
