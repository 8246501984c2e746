//! Each line of the example environment names its default, so uncommenting it changes nothing; and
//! `holdfast dev` gives each process the secrets that the settings declare for it.
import { expect, it } from 'vitest';
import { SECRET_READERS } from '../../apps/cli/src/process-settings.ts';
import { type Setting, settings } from '../../apps/server/src/platform/config/settings.ts';
import { plainDefault } from './configuration.ts';

const rows = Object.entries(settings) as [string, Setting<unknown>][];
const cases = rows.flatMap(([name, row]) =>
  (['development', 'production'] as const)
    .filter((environment) => plainDefault(row, environment) !== '')
    .map((environment) => ({ name, environment, row })),
);

it.each(cases)('the default of $name in $environment reads as itself', ({ row, environment }) => {
  expect(row.read(plainDefault(row, environment))).toEqual(row.defaultIn[environment]);
});

it('holdfast dev gives each process its own secrets', () => {
  const declared = rows.flatMap(([name, { secret, readBy }]) =>
    secret && readBy ? [[name, readBy]] : [],
  );
  expect(SECRET_READERS).toEqual(Object.fromEntries(declared));
});
