//! Writes what is generated: `npm run generate`. docs/reference and a part of the SDK come from the
//! contract, the migrations of functions from the functions, row types from a migrated database.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Endpoint } from '@holdfast/contract/endpoint';
import type { Machine } from '@holdfast/contract/machine';
import { machines } from '@holdfast/contract/machines';
import { SURFACE_A_BASE, surfaceA } from '@holdfast/contract/surface-a';
import { surfaceB } from '@holdfast/contract/surface-b';
import { apiPages } from './generate/api-pages.ts';
import { cliPage } from './generate/cli-page.ts';
import { configurationPage, environmentExample } from './generate/configuration.ts';
import { endpointsPage } from './generate/endpoints-page.ts';
import { errorPages, errorsPage } from './generate/errors-pages.ts';
import { eventsPage } from './generate/events-page.ts';
import { eventsSchema } from './generate/events-schema.ts';
import { writeFunctionsMigrations } from './generate/functions-migration.ts';
import {
  CLI_HEADER,
  CONTRACT_HEADER,
  JOBS_HEADER,
  METRICS_HEADER,
  SETTINGS_HEADER,
} from './generate/header.ts';
import { jobsPage } from './generate/jobs-page.ts';
import { metricsPage } from './generate/metrics-page.ts';
import { withMigratedDatabase } from './generate/migrated-database.ts';
import { openApi, type Surface } from './generate/openapi.ts';
import { referenceIndex } from './generate/reference-index.ts';
import { generateSdk, SDK_GENERATED } from './generate/sdk.ts';
import { sdkPage } from './generate/sdk-page.ts';
import { stateDiagram } from './generate/states-diagram.ts';
import { statesPage } from './generate/states-page.ts';
import { TABLES, tableTypes } from './generate/table-types.ts';
import { MIGRATIONS } from './migrations/released.ts';
import { GRAFANA, grafanaFiles } from './telemetry/grafana.ts';
import { RULES, rulesText } from './telemetry/rules-text.ts';

export const ROOT = fileURLToPath(new URL('../', import.meta.url));
export const REFERENCE = 'docs/reference';

const surfaces: readonly Surface[] = [
  {
    name: 'a',
    title: 'Holdfast, Surface A',
    description:
      'Balances, orders, escrow, resolution, top-ups, withdrawals, events. Fields and query ' +
      'parameters are taken in camelCase and in snake_case; responses are in camelCase.',
    base: SURFACE_A_BASE,
    endpoints: Object.values<Endpoint>(surfaceA),
  },
  {
    name: 'b',
    title: 'Holdfast, Surface B',
    description: 'Members with balances, wallets, projects and project escrows.',
    base: '/',
    endpoints: Object.values<Endpoint>(surfaceB),
  },
];

/** Every generated file of docs/reference: its name, and its whole text. */
export function generate(): Map<string, string> {
  const files = new Map<string, string>();
  const endpoints = surfaces.flatMap((surface) => surface.endpoints);
  for (const surface of surfaces) {
    files.set(`openapi-surface-${surface.name}.json`, json('x-generated', openApi(surface)));
  }
  files.set('events.schema.json', json('$comment', eventsSchema()));
  for (const machine of Object.values<Machine>(machines)) {
    files.set(`${machine.name}-states.md`, page(statesPage(machine)));
    files.set(`${machine.name}-states.svg`, page(stateDiagram(machine)));
  }
  for (const [name, text] of [...apiPages(endpoints), ...errorPages(endpoints)])
    files.set(name, page(text));
  files.set('cli.md', page(cliPage(), CLI_HEADER));
  files.set('jobs.md', page(jobsPage(), JOBS_HEADER));
  files.set('metrics.md', page(metricsPage(), METRICS_HEADER));
  files.set('sdk.md', page(sdkPage(ROOT)));
  files.set('README.md', page(referenceIndex(endpoints)));
  files.set('errors.md', page(errorsPage(endpoints)));
  files.set('events.md', page(eventsPage(endpoints)));
  files.set('endpoints.md', page(endpointsPage(endpoints, SURFACE_A_BASE)));
  files.set(
    'configuration.md',
    `<!-- ${SETTINGS_HEADER} Do not edit. -->\n\n${configurationPage()}`,
  );
  files.set('.env.example', environmentExample(`${SETTINGS_HEADER} Copy it and fill it in.`));
  return files;
}

/** Where a file of JSON says where it comes from: on its first line, like every other. */
function json(key: string, value: Record<string, unknown>): string {
  const body = JSON.stringify(value, null, 2);
  return body.replace(/^\{\n/, `{ "${key}": ${JSON.stringify(CONTRACT_HEADER)},\n`).concat('\n');
}

function page(text: string, header = CONTRACT_HEADER): string {
  return `<!-- ${header} -->\n\n${text}`;
}

function write(at: string, files: ReadonlyMap<string, string>): void {
  const folder = `${ROOT}${at}`;
  mkdirSync(folder, { recursive: true });
  for (const name of filesIn(folder)) if (!files.has(name)) rmSync(`${folder}/${name}`);
  for (const [name, text] of files) {
    mkdirSync(dirname(`${folder}/${name}`), { recursive: true });
    writeFileSync(`${folder}/${name}`, text);
  }
  process.stdout.write(`${files.size} files in ${at}\n`);
}

/** Every file below a folder, by its path from there. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => relative(folder, `${one.parentPath}/${one.name}`));
}

if (import.meta.main) {
  // First: a page of the reference is read off the SDK.
  write(SDK_GENERATED, generateSdk());
  write(REFERENCE, generate());
  writeFileSync(`${ROOT}${RULES}`, rulesText());
  process.stdout.write(`rules in ${RULES}\n`);
  write(GRAFANA, grafanaFiles());
  process.stdout.write(`${writeFunctionsMigrations(ROOT).length} files in ${MIGRATIONS}\n`);
  writeFileSync(`${ROOT}${TABLES}`, await withMigratedDatabase(tableTypes));
  process.stdout.write(`row types in ${TABLES}\n`);
}
