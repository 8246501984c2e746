//! docs/reference matches the contract: fresh, complete, and valid.
import { readdirSync, readFileSync } from 'node:fs';
import { type Endpoint, errorsOf } from '@holdfast/contract/endpoint';
import { errors } from '@holdfast/contract/errors';
import { EVENT_NAMES, events } from '@holdfast/contract/events';
import { statesOf } from '@holdfast/contract/machine';
import { machines } from '@holdfast/contract/machines';
import { hasShape } from '@holdfast/contract/shape';
import { surfaceA } from '@holdfast/contract/surface-a';
import { surfaceB } from '@holdfast/contract/surface-b';
import { describe, expect, it } from 'vitest';
import { problemsOf } from './generate/check-openapi.ts';
import { functionsMigrations } from './generate/functions-migration.ts';
import type { OpenApiDocument } from './generate/openapi.ts';
import { exampleOf, plain } from './generate/schema.ts';
import { generateSdk, SDK_GENERATED } from './generate/sdk.ts';
import { filesIn, generate, REFERENCE, ROOT } from './generate.ts';
import { MIGRATIONS } from './migrations/released.ts';
import { declaredAs, usedIn } from './where.ts';

const files = generate();
const textOf = (name: string) => files.get(name) ?? '';
const documentOf = (name: string) =>
  JSON.parse(textOf(`openapi-surface-${name}.json`)) as OpenApiDocument;
const operationsOf = (document: OpenApiDocument) =>
  Object.values(document.paths).flatMap((item) => Object.values(item));

describe('docs/reference', () => {
  it('holds what is generated, and nothing else', () => {
    expect(filesIn(`${ROOT}${REFERENCE}`).sort()).toEqual([...files.keys()].sort());
  });

  it.each([...files.keys()])('%s is as it would be generated now', (name) => {
    const committed = readFileSync(`${ROOT}${REFERENCE}/${name}`, 'utf8');
    expect(committed === textOf(name), `run npm run generate: ${name} is stale`).toBe(true);
  });

  it('says on the first line of each file where it comes from', () => {
    for (const [name, text] of files) {
      expect([name, text.split('\n')[0]]).toEqual([
        name,
        expect.stringContaining('tools/generate'),
      ]);
    }
  });
});

describe(SDK_GENERATED, () => {
  const written = generateSdk();

  it('holds what is generated, and nothing else', () => {
    expect(readdirSync(`${ROOT}${SDK_GENERATED}`).sort()).toEqual([...written.keys()].sort());
  });

  it.each([...written.keys()])('%s is as it would be generated now', (name) => {
    const committed = readFileSync(`${ROOT}${SDK_GENERATED}/${name}`, 'utf8');
    expect(committed === written.get(name), `run npm run generate: ${name} is stale`).toBe(true);
  });
});

describe('the migrations of functions', () => {
  it('that no release has brought yet are as they would be generated now', () => {
    const present = readdirSync(`${ROOT}${MIGRATIONS}`);
    const stale = [...functionsMigrations(ROOT)].filter(
      ([name, text]) =>
        !present.includes(name) || readFileSync(`${ROOT}${MIGRATIONS}/${name}`, 'utf8') !== text,
    );
    expect(stale.map(([name]) => `run npm run generate: ${name} is stale`)).toEqual([]);
  });
});

describe('the errors page', () => {
  it('has every code, and no other', () => {
    const listed = [...textOf('errors.md').matchAll(/^\| \[`(\w+)`\]/gm)].map(([, code]) => code);
    expect(listed).toEqual(Object.keys(errors));
    const pages = [...files.keys()].filter((name) => name.startsWith('errors/'));
    expect(pages).toHaveLength(listed.length);
  });

  it('links to a page for each code that says why, what to do and where', () => {
    for (const code of Object.keys(errors)) {
      const text = textOf(`errors/${code.toLowerCase()}.md`);
      expect([...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading)).toEqual([
        code,
        'Why it happens',
        'What to do',
        'Example',
        'Endpoints',
      ]);
    }
  });
});

describe('the events page and schema', () => {
  it('have every event, and no other', () => {
    const listed = [...textOf('events.md').matchAll(/^## (.+)$/gm)].map(([, name]) => name);
    expect(listed).toEqual([...EVENT_NAMES]);
    const schema = JSON.parse(textOf('events.schema.json')) as { $defs: Record<string, object> };
    expect(Object.keys(schema.$defs)).toEqual([...EVENT_NAMES]);
  });

  it.each(EVENT_NAMES.map((name) => [name]))(
    'takes an example of %s, and not its name alone',
    (name) => {
      const { $defs } = JSON.parse(textOf('events.schema.json')) as {
        $defs: Record<string, object>;
      };
      const fits = (value: unknown) => hasShape($defs[name] ?? {}, value);
      const envelope = {
        eventId: 'evt_00000000000000000000000000',
        eventType: name,
        occurredAt: '2026-03-01T12:00:00.000001Z',
        aggregateId: 'x',
        aggregateType: events[name].aggregateType,
        payload: exampleOf(plain(events[name].payload)),
        metadata: {},
      };
      expect(fits(envelope)).toBe(true);
      expect(fits({ ...envelope, payload: {} })).toBe(false);
      expect(fits({ ...envelope, eventType: 'other' })).toBe(false);
    },
  );
});

describe('the pages of states', () => {
  it.each(Object.entries(machines))('draw every state of the %s', (name, machine) => {
    const text = textOf(`${name}-states.md`);
    for (const state of statesOf<string>(machine)) expect(text).toContain(`| \`${state}\` |`);
    const drawing = textOf(`${name}-states.svg`);
    for (const state of statesOf<string>(machine)) expect(drawing).toContain(`>${state}</text>`);
    for (const move of Object.keys(machine.moves)) expect(drawing).toContain(`>${move}</text>`);
  });
});

describe('the endpoints page', () => {
  it('has a row for every endpoint', () => {
    const rows = textOf('endpoints.md')
      .split('\n')
      .filter((line) => /^\| (GET|P|DELETE)/.test(line));
    expect(rows).toHaveLength(Object.keys({ ...surfaceA, ...surfaceB }).length);
  });
});

describe.each<[string, Record<string, Endpoint>, number, number]>([
  ['a', surfaceA, 54, 100],
  ['b', surfaceB, 9, 5],
])('the OpenAPI document of surface %s', (name, surface, specified, ours) => {
  const document = documentOf(name);
  const operations = operationsOf(document);

  it('is sound: references lead somewhere, examples fit, ids are unique', async () => {
    expect(await problemsOf(textOf(`openapi-surface-${name}.json`))).toEqual([]);
    expect(document.openapi).toBe('3.1.0');
  });

  it(`has the ${specified} operations of the specification, and ${ours} of ours`, () => {
    const beyond = operations.filter((operation) => 'x-origin' in operation);
    expect([operations.length - beyond.length, beyond.length]).toEqual([specified, ours]);
    expect(operations.map((operation) => operation.operationId)).toEqual(
      expect.arrayContaining(Object.keys(surface)),
    );
  });

  it('declares every error of every endpoint', () => {
    for (const operation of operations) {
      const endpoint = surface[operation.operationId] as Endpoint;
      const references = JSON.stringify(operation.responses).matchAll(/responses\/([\w.]+)/g);
      const declared = [...references].flatMap(([, at = '']) => at.split('.').slice(1));
      expect(declared.filter((word) => word !== 'keyed').sort()).toEqual(errorsOf(endpoint).sort());
    }
  });

  it('offers an Idempotency-Key exactly where it is honoured', () => {
    for (const operation of operations) {
      const text = JSON.stringify(operation.parameters);
      const endpoint = surface[operation.operationId] as Endpoint;
      expect(text.includes('parameters/Idempotency-Key')).toBe(endpoint.idempotent);
    }
  });

  it.each(Object.values(surface).map((one) => [one.id, one] as const))(
    'gives %s an example that its own schema takes',
    (_, endpoint) => {
      for (const schema of [endpoint.success.data, endpoint.body ?? endpoint.success.data]) {
        expect(hasShape(schema, exampleOf(plain(schema)))).toBe(true);
        expect(hasShape(schema, exampleOf(plain(schema), 'filled'))).toBe(true);
      }
    },
  );
});

describe('the checker of OpenAPI documents', () => {
  const about = { description: 'x' };
  const fit = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
  const response = (example: object) => ({
    ...about,
    content: { 'application/json': { schema: fit, example } },
  });
  const responses = { 200: response({ id: 'x' }), 400: about };
  const idInPath = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
  const documentOf = (paths: object) => ({
    openapi: '3.1.0',
    info: { title: 'x', version: '1', license: { name: 'x', identifier: 'MIT' } },
    servers: [{ url: '/' }],
    tags: [{ name: 'x', ...about }],
    security: [],
    paths,
  });
  const get = (operation: object) => ({
    get: { operationId: 'x', summary: 'x', ...about, tags: ['x'], responses, ...operation },
  });
  const document = (path: string, operation: object) => documentOf({ [path]: get(operation) });
  const rulesBrokenBy = async (broken: object) =>
    (await problemsOf(JSON.stringify(broken))).map((problem) => problem.split(' ')[0]);

  it.each([
    ['no-unresolved-refs', document('/x', { parameters: [{ $ref: '#/components/x' }] })],
    ['path-parameters-defined', document('/x/{id}', {})],
    ['path-parameters-defined', document('/x', { parameters: [idInPath] })],
    ['operation-parameters-unique', document('/x/{id}', { parameters: [idInPath, idInPath] })],
    ['rule/operation-succeeds', document('/x', { responses: { 400: about } })],
    ['operation-4xx-response', document('/x', { responses: { 200: about } })],
    ['operation-operationId-unique', documentOf({ '/x': get({}), '/y': get({}) })],
    [
      'no-ambiguous-paths',
      documentOf({
        '/x/{id}': get({ parameters: [idInPath] }),
        '/{id}/x': get({ operationId: 'y', parameters: [idInPath] }),
      }),
    ],
    [
      'no-invalid-media-type-examples',
      document('/x', { responses: { ...responses, 200: response({}) } }),
    ],
    [
      'no-illogical-composition-keywords',
      document('/x', {
        requestBody: { content: { 'application/json': { schema: { oneOf: [fit, { ...fit }] } } } },
      }),
    ],
    ['security-defined', document('/x', { security: [{ key: [] }] })],
    ['struct', document('/x', { parameters: {} })],
  ])('finds what breaks %s', async (rule, broken) => {
    expect(await rulesBrokenBy(broken)).toEqual([rule]);
  });

  it('finds nothing in a sound one', async () => {
    expect(await rulesBrokenBy(document('/x', {}))).toEqual([]);
    const redirect = { 302: about, 400: about };
    expect(await rulesBrokenBy(document('/x', { responses: redirect }))).toEqual([]);
  });
});

describe('where', () => {
  it('prints the meaning of a word, and the moves and endpoints that have it', () => {
    expect(declaredAs('dispute.resolved')).toEqual([
      'event of Dispute: The dispute was decided and the decision executed.',
      'move dispute.resolve: UNDER_REVIEW → RESOLVED',
      'endpoint resolveDispute: POST /disputes/{id}/resolve (support)',
      'endpoint receiveEscrowWebhook: POST /webhooks/escrow-provider (signature)',
      'endpoint approve: POST /approvals/{id}/approve (operator)',
    ]);
    expect(declaredAs('ARCHIVED')[0]).toMatch(/^state of escrow: /);
    expect(declaredAs('/auth/me')).toEqual(['endpoint getAuthContext: GET /auth/me (any)']);
    expect(declaredAs('nothing')).toEqual([]);
  });

  it('finds whole words in the sources', () => {
    expect(usedIn('dispute.resolved').some((line) => line.includes('contract/src/events.ts'))).toBe(
      true,
    );
    expect(usedIn('pute.resolved')).toEqual([]);
  });
});
