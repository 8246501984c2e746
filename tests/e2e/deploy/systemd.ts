//! The units of deploy/systemd: settings, credentials, and time to stop.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Process } from '../../../apps/server/src/platform/config/settings.ts';
import { findProgram } from '../../../tools/installed.ts';
import { ROOT } from '../../../tools/pack/manifest.ts';
import { faultsOf, variablesIn } from './process.ts';

const FOLDER = join(ROOT, 'deploy/systemd');
const UNITS: Readonly<Record<string, Process>> = {
  'holdfast-api@.service': 'api',
  'holdfast-worker@.service': 'worker',
  'holdfast-migrate.service': 'migrate',
};
const END_SECONDS = 40;

export function faultsInUnits(): string[] {
  return [
    ...Object.entries(UNITS).flatMap(([file, process]) => unitFaults(file, process)),
    ...verified(),
  ];
}

function unitFaults(file: string, process: Process): string[] {
  const text = readFileSync(join(FOLDER, file), 'utf8').replaceAll('%i', '1');
  const all = (name: string) =>
    [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);
  const own = all('Environment').flatMap((line) => line.split(' '));
  const shared = variablesIn(readFileSync(join(FOLDER, 'holdfast.env'), 'utf8'));
  const credentials = all('LoadCredential').map((line) => line.split(':')[0] ?? '');
  const faults = faultsOf({
    where: file,
    process,
    environment: { ...shared, ...variablesIn(own.join('\n')) },
    files: Object.fromEntries(credentials.map((name) => [name, `%d/${name}`])),
  });
  const [stop] = all('TimeoutStopSec');
  if (process !== 'migrate' && Number(stop) <= END_SECONDS)
    faults.push(`${file}: TimeoutStopSec is too short`);
  for (const line of all('LoadCredential'))
    if (!line.endsWith(`/secrets/${process}/${line.split(':')[0]}`))
      faults.push(`${file}: ${line} is not a file of this process`);
  return faults;
}

/** By systemd itself, where it is installed. */
function verified(): string[] {
  const program = findProgram('systemd-analyze');
  if (program === undefined) return [];
  try {
    const units = Object.keys(UNITS).map((name) => join(FOLDER, name.replace('@.', '@1.')));
    execFileSync(program, ['verify', '--man=no', ...units], { encoding: 'utf8', stdio: 'pipe' });
    return [];
  } catch (error) {
    const lines = String((error as { stderr?: string }).stderr ?? error).split('\n');
    // The example's paths, which are not there on every machine.
    return lines.filter(
      (line) => line.includes('holdfast-') && !/not executable|not found/.test(line),
    );
  }
}
