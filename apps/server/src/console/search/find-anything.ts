//! Finds records by a name or its prefix: GET /search. The form of the text decides which names it
//! can be; each is looked up by its own index.

import { SEARCH_TYPES } from '@holdfast/contract/enums';
import type { SearchHitView } from '@holdfast/contract/records/console-records';
import type { Call } from '../../platform/call.ts';
import type { Query } from '../../platform/database/sql.ts';
import { read, type Transactor, type Tx } from '../../platform/database/transact.ts';
import {
  maskEmail,
  maskName,
  maskSentence,
  maskText,
  seesPersonalData,
} from '../../platform/mask.ts';
import {
  BY_ID,
  byAddress,
  byClientOrderRef,
  byContract,
  byDepositHash,
  byEmail,
  byEntryNumber,
  byEntryReference,
  byEventId,
  byExternalUserId,
  byHash,
  byHistoryLine,
  byIdempotencyKey,
  byPayin,
  byPaymentUser,
  byPayout,
  byProviderEvent,
  byRequestId,
  type Found,
  namesOf,
  rangeOf,
} from './search-rows.ts';

export type Hit = Omit<Found, 'parentType' | 'parentId'> & {
  readonly matchedBy: SearchHitView['matchedBy'];
  readonly goTo: { readonly type: SearchHitView['type']; readonly id: string };
};

const HITS_MAX = 20;

const EVENT = /^evt_[0-9a-hjkmnp-tv-z]*$/;
/** A number in the form of an id; whole only: the rest of a partial number is unknown. */
const HISTORY_LINE = /^txn_0*([1-9]\d{0,17})$/;
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

/** The kinds of names that the text can be, the most certain first. */
function waysFor(tx: Tx, text: string): Way[] {
  const lower = text.toLowerCase();
  const [range, lowered] = [rangeOf(text), rangeOf(lower)];
  const prefix = /^([a-z]+)_[0-9a-z]*$/.exec(lower)?.[1] ?? '';
  const byId = Object.hasOwn(BY_ID, prefix) ? BY_ID[prefix] : undefined;
  const ways: (Way | false | undefined)[] = [
    byId && ['id', byId(tx, lowered)],
    EVENT.test(lower) && ['id', byEventId(tx, lowered)],
    historyLineWay(tx, lower),
    /^[0-9a-f]{6,64}$/.test(lower) && ['transactionHash', byHash(tx, lowered)],
    /^[0-9a-f]{6,64}$/.test(lower) && ['transactionHash', byDepositHash(tx, lowered)],
    UUID.test(lower) && ['requestId', byRequestId(tx, range)],
    UUID.test(lower) && ['idempotencyKey', byIdempotencyKey(tx, lowered)],
    /^g[a-z2-7]{5,55}$/.test(lower) && [
      'ledgerAddress',
      byAddress(tx, rangeOf(text.toUpperCase())),
    ],
    /^c[a-z2-7]{5,55}$/.test(lower) && ['contractId', byContract(tx, rangeOf(text.toUpperCase()))],
    /^[1-9]\d{5,17}$/.test(text) && ['id', byEntryNumber(tx, range)],
    ['email', byEmail(tx, namesOf(lower))],
    ['clientOrderRef', byClientOrderRef(tx, namesOf(text))],
    ['externalUserId', byExternalUserId(tx, namesOf(text))],
    ['paymentAccount', byPaymentUser(tx, range)],
    ['payin', byPayin(tx, range)],
    ['payout', byPayout(tx, range)],
    ['providerEventId', byProviderEvent(tx, range)],
    ['reference', byEntryReference(tx, range)],
  ];
  return ways.filter((way) => way !== undefined && way !== false);
}

function historyLineWay(tx: Tx, text: string): Way | undefined {
  const number = HISTORY_LINE.exec(text)?.[1];
  return number === undefined ? undefined : ['id', byHistoryLine(tx, rangeOf(number))];
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

/** Two names of one record give one hit: a pay-in's code is our own id, for example. */
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
  if (seesPersonalData(tx.actor)) return hit;
  if (hit.type !== 'User')
    return { ...hit, title: maskSentence(hit.title), matched: maskSentence(hit.matched) };
  const mask = MASKED_BY[hit.matchedBy] ?? ((text: string) => text);
  return { ...hit, title: maskName(hit.title), matched: mask(hit.matched) };
}
