//! The path of the screen that shows a given resource.

/** Where the console is served. */
export const CONSOLE = '/console';

/** The page behind the link of an invitation. It needs no session. */
export function isEnrollment(path: string): boolean {
  return path.replace(/\/$/, '') === `${CONSOLE}/enroll`;
}

const BY_TYPE: Readonly<Record<string, (id: string) => string>> = {
  User: (id) => `/users/${id}`,
  Order: (id) => `/orders/${id}`,
  Dispute: (id) => `/disputes/${id}`,
  Approval: (id) => `/approvals?id=${id}`,
  TopUp: (id) => `/topups/${id}`,
  Withdrawal: (id) => `/withdrawals/${id}`,
  Operation: (id) => `/operations/${id}`,
  ReconciliationRun: (id) => `/reconciliation/${id}`,
  ReconciliationException: (id) => `/reconciliation?exception=${id}`,
  Event: (id) => `/events?id=${id}`,
  AuditEntry: (id) => `/audit?id=${id}`,
  ApiKey: (id) => `/developers?key=${id}`,
  Operator: (id) => `/audit?actorId=${id}`,
  ProviderNotification: (id) => `/inbox/${id}`,
  LedgerEntry: (id) => `/ledger/entries/${encodeURIComponent(id)}`,
  LedgerAccount: (id) => `/ledger/accounts/${encodeURIComponent(id)}`,
  LoggedRequest: (id) => `/developers?request=${encodeURIComponent(id)}`,
  IdempotencyKey: (id) => `/developers?tab=idempotency&idempotencyKey=${encodeURIComponent(id)}`,
  WebhookEndpoint: (id) => `/webhooks/${id}`,
};

const TYPE_OF_PREFIX: Readonly<Record<string, string>> = {
  usr: 'User',
  ord: 'Order',
  dsp: 'Dispute',
  apr: 'Approval',
  topup: 'TopUp',
  wd: 'Withdrawal',
  op: 'Operation',
  rec: 'ReconciliationRun',
  exc: 'ReconciliationException',
  evt: 'Event',
  aud: 'AuditEntry',
  key: 'ApiKey',
  inb: 'ProviderNotification',
  whe: 'WebhookEndpoint',
};

/** Undefined for a type that has no screen. */
export function routeOf(type: string, id: string): string | undefined {
  return BY_TYPE[type]?.(id);
}

/** By the prefix of one of our ids; undefined for any other text. */
export function routeOfId(id: string): string | undefined {
  const type = TYPE_OF_PREFIX[/^([a-z]+)_[0-9a-z]+$/.exec(id)?.[1] ?? ''];
  return type === undefined ? undefined : routeOf(type, id);
}
