//! What providers told us: verified, stored to the byte, and what became of it.
import { Type } from 'typebox';
import { NoticeDetailView, NoticeView } from '#console-records';
import { endpoint } from '#endpoint';
import { closed, createdBetween, id, listQuery, oneOf, text } from '#fields';
import { LENGTHS } from '#limits';
import { ANY_ACTING } from '#roles';
import { NOTICE_PROVIDERS, NOTICE_STATUSES } from '#words';

const notice = closed({ id: id('inb') });

export const inboxEndpoints = {
  listNotices: endpoint('listNotices', 'GET', '/inbox', {
    scope: 'read',
    master: true,
    platform: true,
    origin: 'ours',
    summary: "List notices of providers, newest first; with the master key those that are nobody's",
    query: listQuery('inb', {
      status: Type.Optional(oneOf(NOTICE_STATUSES)),
      provider: Type.Optional(oneOf(NOTICE_PROVIDERS)),
      resourceId: Type.Optional(text(LENGTHS.name)),
      ...createdBetween,
    }),
    success: { status: 200, data: NoticeView, list: true },
  }),
  getNotice: endpoint('getNotice', 'GET', '/inbox/{id}', {
    scope: 'read',
    master: true,
    platform: true,
    origin: 'ours',
    summary: 'Get a notice with its body as it came; operators see personal data in it masked',
    params: notice,
    success: { status: 200, data: NoticeDetailView },
    errors: ['NOTICE_NOT_FOUND'],
  }),
  rerunNotice: endpoint('rerunNotice', 'POST', '/inbox/{id}/rerun', {
    scope: 'support',
    operators: ANY_ACTING,
    master: true,
    platform: true,
    origin: 'ours',
    idempotent: true,
    summary: 'Have a waiting or parked notice applied again, by the worker and at once',
    params: notice,
    body: closed({ reason: text(LENGTHS.reason) }),
    success: { status: 200, data: NoticeDetailView },
    errors: ['NOTICE_NOT_FOUND', 'INVALID_STATE'],
  }),
};
