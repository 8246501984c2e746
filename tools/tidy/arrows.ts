//! The allowed imports between modules. `npm run imports` makes its rules from this table.
import { AREAS, type Area, type Module, moduleId, SERVER } from './areas.ts';

const kernel = 'packages/kernel/src';
const contract = 'packages/contract/src';
const sdk = 'packages/sdk/src';

export interface Arrow {
  readonly from: string;
  /** Folders and files it may import, besides itself. */
  readonly may: readonly string[];
  /** Modules that it may import as types only. */
  readonly types?: readonly string[];
  /** Packages it may import: named ones, or any that its package.json declares. */
  readonly packages: 'declared' | readonly string[];
}

/** The parts of a process, as `wire` makes them: a surface knows them as types. */
const WIRED = [`${SERVER}/app/wire.ts`, `${SERVER}/app/wire-worker.ts`];

function arrowOf(area: Area, module: Module): Arrow {
  const lower = AREAS.filter(({ rank }) => rank < area.rank).map(({ name }) => name);
  const used = module.uses.flatMap((one) => (one === '*' ? lower : [one]));
  return {
    from: `${SERVER}/${moduleId(area, module)}`,
    may: [kernel, contract, ...['platform', ...used].map((one) => `${SERVER}/${one}`)],
    ...(area.name === 'api' && module.name !== 'http' ? { types: WIRED } : {}),
    packages: 'declared',
  };
}

export const ARROWS: readonly Arrow[] = [
  { from: kernel, may: [], packages: [] },
  { from: contract, may: [kernel], packages: ['typebox'] },
  ...AREAS.flatMap((area) => area.modules.map((module) => arrowOf(area, module))),
  // It ships alone: what it knows of the contract is generated into it.
  { from: sdk, may: [], packages: ['node'] },
  { from: 'apps/console/src', may: [kernel, contract, sdk], packages: 'declared' },
  { from: 'apps/cli/src', may: [kernel, contract, sdk], packages: 'declared' },
  { from: 'apps/sandbox/src', may: [kernel], packages: 'declared' },
  // A copied example has the SDK and nothing else of ours.
  { from: 'examples/marketplace/src', may: [sdk], packages: 'declared' },
  // An auditor that shares code with what it audits shares its mistakes.
  { from: 'tests/auditor', may: [], packages: ['pg', 'node'] },
];
