//! Checks each row of both surfaces against the rules for rows.
import type { TSchema } from 'typebox';
import { describe, expect, it } from 'vitest';
import { type BodyOf, type Endpoint, endpoint, errorsOf, pathParameters } from '#endpoint';
import { type ErrorCode, errors, isErrorCode, statusOf, UNROUTED } from '#errors';
import { EVENT_NAMES, isEventName } from '#events';
import type { Machine } from '#machine';
import { machines } from '#machines';
import { HealthView } from '#records';
import { surfaceA } from '#surface-a';
import { surfaceB } from '#surface-b';

/** Calls that return 201 when they succeed; the other POSTs return 200. */
const created = new Set(
  (
    'createApiKey createToken createUser createOrder reserveOrder cancelOrder completeMilestone ' +
    'createEscrow fundEscrow openDispute createTopup createWithdrawal rotateApiKey createMarketplace ' +
    'createReconciliationRun recordCapital createWebhookEndpoint testWebhookEndpoint ' +
    'replayWebhookEvents createOperator createDisputeNote ' +
    'createDisputeEvidence'
  ).split(' '),
);

const a = Object.values<Endpoint>(surfaceA);
const b = Object.values<Endpoint>(surfaceB);
const all = [...a, ...b];
const named = all.map((one) => [`${one.surface}: ${one.id}`, one] as const);

interface Plain {
  type?: string | string[];
  properties?: Record<string, Plain>;
  additionalProperties?: unknown;
  items?: Plain;
}
const plain = (schema: TSchema | undefined) => (schema ?? {}) as Plain;

/** Every object below a schema, with the path to it. */
function objectsIn(schema: Plain, at = ''): [string, Plain][] {
  const below = Object.entries(schema.properties ?? {}).flatMap(([name, part]) =>
    objectsIn(part, `${at}.${name}`),
  );
  const items = schema.items === undefined ? [] : objectsIn(schema.items, `${at}[]`);
  const own: [string, Plain][] = schema.type?.includes('object') ? [[at, schema]] : [];
  return [...own, ...below, ...items];
}

describe('the surfaces', () => {
  it('name no route and no operation twice', () => {
    for (const surface of [a, b]) {
      const routes = surface.map((one) => `${one.method} ${one.path.replace(/\{\w+\}/g, '{}')}`);
      expect(new Set(routes).size).toBe(surface.length);
    }
    expect(new Set(all.map((one) => one.id)).size).toBe(all.length);
    for (const [key, one] of Object.entries({ ...surfaceA, ...surfaceB })) expect(one.id).toBe(key);
  });

  it('let the master key in on routes of keys, marketplaces, operators and the platform, nowhere else', () => {
    const open = a.filter((one) => one.master === true || one.scope === 'master');
    const rest = open.filter((one) => !/^\/(auth\/api-keys|marketplaces|operators)/.test(one.path));
    const names =
      'streamEvents listAuditLogs getSolvency getSolvencyHistory pausePayouts resumePayouts recordCapital ' +
      'getRecovery listFindings checkWrites openDatabase ' +
      'listNotifications getNotification rerunNotification';
    expect(rest.map((one) => one.id).join(' ')).toBe(names);
    expect(open.map((one) => one.id)).not.toContain('getAuthContext');
  });

  it('honour an Idempotency-Key where the decisions say so, and nowhere else', () => {
    const honoured = all.filter((one) => one.idempotent).map((one) => one.id);
    const mutations = a.filter((one) => one.method !== 'GET').map((one) => one.id);
    const ignored = [
      'createToken',
      'createOrder',
      'reserveOrder',
      'cancelOrder',
      'completeMilestone',
      'createEscrow',
      'fundEscrow',
      'releaseOrder',
      'refundOrder',
      'openDispute',
      'receivePaymentWebhook',
      'receiveEscrowWebhook',
      'previewResolution',
      'revealUser',
      'revealWithdrawal',
      'advanceLabClock',
      'armLabFault',
      'clearLabFaults',
      'runLabScenario',
      'seedLab',
      'signIn',
      'signOut',
      'changePassword',
      'openInvitation',
      'enroll',
      'approve',
      'reject',
      'endSession',
      'fetchKeySecret',
      'checkWrites',
    ];
    expect(honoured.sort()).toEqual(mutations.filter((id) => !ignored.includes(id)).sort());
  });

  it('return 400 for INVALID_STATE on order, escrow, resolution and dispute routes only', () => {
    for (const one of a) {
      const status = /^\/(orders|disputes)/.test(one.path) ? 400 : 409;
      expect([one.id, statusOf('INVALID_STATE', one)]).toEqual([one.id, status]);
    }
  });

  it('emit every event of the catalogue, by an endpoint or a move', () => {
    const moves = Object.values<Machine>(machines).flatMap((machine) => [
      ...machine.initialEvents,
      ...Object.values(machine.moves).flatMap((move) => move.emits),
    ]);
    const emitted = new Set([...all.flatMap((one) => one.emits), ...moves]);
    expect(EVENT_NAMES.filter((name) => !emitted.has(name))).toEqual([]);
    const byCall = new Set(all.flatMap((one) => one.emits));
    expect(EVENT_NAMES.filter((name) => !byCall.has(name))).toEqual([]);
  });

  it('return every error of the catalogue somewhere', () => {
    const returned = new Set<ErrorCode>([...all.flatMap(errorsOf), ...UNROUTED]);
    const codes = Object.keys(errors) as ErrorCode[];
    expect(codes.filter((code) => !returned.has(code))).toEqual([]);
  });

  it('keep the errors of Surface B to Surface B', () => {
    const onlyB = (Object.keys(errors) as ErrorCode[]).filter((code) => errors[code].only === 'b');
    expect(onlyB.length).toBeGreaterThan(3);
    for (const one of a) expect(errorsOf(one).filter((code) => onlyB.includes(code))).toEqual([]);
  });
});

describe.each(named)('%s', (_, one) => {
  it('declares the parameters of its path, and no other', () => {
    expect(Object.keys(plain(one.params).properties ?? {})).toEqual(pathParameters(one.path));
  });

  it('names errors and events that exist, each once', () => {
    expect(one.errors.filter((code) => !isErrorCode(code))).toEqual([]);
    expect(one.emits.filter((name) => !isEventName(name))).toEqual([]);
    expect(new Set(one.errors).size).toBe(one.errors.length);
    expect(new Set(one.emits).size).toBe(one.emits.length);
    expect(errorsOf(one)).toEqual(expect.arrayContaining(['RATE_LIMITED', 'INTERNAL_ERROR']));
  });

  it('has a body only where a method carries one, and a GET changes nothing', () => {
    if (one.method !== 'GET') return expect(one.body ?? one.bodyRead).toBeDefined();
    expect([one.body, one.bodyRead, one.idempotent]).toEqual([undefined, undefined, false]);
    return expect(one.emits).toEqual([]);
  });

  it('refuses unknown properties, but in metadata and in what providers send', () => {
    if (one.scope === 'signature') return;
    const open = [one.params, one.query, one.body]
      .flatMap((schema) => objectsIn(plain(schema)))
      .filter(([, schema]) => schema.additionalProperties !== false)
      .map(([at]) => at);
    expect(open.filter((at) => !at.endsWith('.metadata'))).toEqual([]);
  });

  it('pages a list by limit and cursor', () => {
    if (one.success.list !== true) return;
    const names = Object.keys(plain(one.query).properties ?? {});
    // The log runs forward: its cursor is where to continue, not where the last page ended.
    expect(names.slice(0, 2)).toEqual(['limit', one.id === 'listEventLog' ? 'after' : 'cursor']);
  });

  it('names query and body fields in camelCase on Surface A', () => {
    if (one.surface === 'b' || one.scope === 'signature') return;
    const names = [one.query, one.body]
      .flatMap((schema) => objectsIn(plain(schema)))
      .flatMap(([, schema]) => Object.keys(schema.properties ?? {}));
    for (const name of names) expect(name).toMatch(/^[a-z]+([A-Z][a-z]*)*$/);
  });

  it('succeeds with the status that is settled', () => {
    const status = one.rawResponse === 'redirect' ? 302 : created.has(one.id) ? 201 : 200;
    expect(one.success.status).toBe(status);
  });

  it('says in a few words what it does', () => {
    expect(one.summary).toMatch(/^[A-Z].{5,}[^.]$/);
  });
});

describe('the errors of an endpoint', () => {
  it('come with its kind', () => {
    expect(errorsOf(surfaceA.getHealth)).toEqual([
      'RATE_LIMITED',
      'INTERNAL_ERROR',
      'SERVICE_UNAVAILABLE',
    ]);
    const own = errorsOf(surfaceA.creditBalance);
    for (const code of ['UNAUTHORIZED', 'INSUFFICIENT_SCOPE', 'IDEMPOTENCY_KEY_REUSED'] as const) {
      expect(own).toContain(code);
    }
    expect(errorsOf(surfaceA.releaseOrder)).not.toContain('IDEMPOTENCY_KEY_REUSED');
    expect(errorsOf(surfaceA.getAuthContext)).not.toContain('INSUFFICIENT_SCOPE');
    expect(errorsOf(surfaceA.createEscrow)).not.toContain('UNSUPPORTED_MEDIA_TYPE');
  });

  it('have the statuses that its own row sets', () => {
    expect(statusOf('INVALID_AMOUNT', surfaceA.resolveDispute)).toBe(422);
    expect(statusOf('INVALID_AMOUNT', surfaceA.creditBalance)).toBe(400);
    expect(statusOf('VALIDATION_ERROR', surfaceB.connectWallet)).toBe(400);
    expect(statusOf('VALIDATION_ERROR', surfaceB.createProject)).toBe(422);
    expect(statusOf('INSUFFICIENT_FUNDS', surfaceB.initEscrow)).toBe(400);
    expect(statusOf('INVALID_STATE', surfaceB.releaseEscrow)).toBe(400);
  });
});

/** Never called: the compiler reads it, and complains when one of these lines compiles. */
export function doesNotCompile(): void {
  const row = { summary: 'x', success: { status: 200, data: HealthView } } as const;
  // @ts-expect-error a row without a scope
  endpoint('x', 'GET', '/x', row);
  // @ts-expect-error a scope that does not exist
  endpoint('x', 'GET', '/x', { ...row, scope: 'admin' });
  // @ts-expect-error an error that is not in the catalogue
  endpoint('x', 'GET', '/x', { ...row, scope: 'read', errors: ['ORDER_LOST'] });
  // @ts-expect-error a property that does not exist
  endpoint('x', 'GET', '/x', { ...row, scope: 'read', orderfamily: true });
  // @ts-expect-error a method that does not exist
  endpoint('x', 'FETCH', '/x', { ...row, scope: 'read' });
  // @ts-expect-error a body field of the wrong type
  const body: BodyOf<typeof surfaceA.assignDispute> = { assignedTo: 7 };
  endpoint('x', 'GET', '/x', { ...row, scope: 'read', summary: JSON.stringify(body) });
}
