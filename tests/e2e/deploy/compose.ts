//! The compose files: what each process gets, and that it has the time to stop.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Process } from '../../../apps/server/src/platform/config/settings.ts';
import { ROOT } from '../../../tools/pack/manifest.ts';
import { readCompose, type Service } from '../compose/compose-file.ts';
import { type DeployedProcess, faultsOf, IDENTITY, variablesIn } from './process.ts';

const PROCESSES = /^(api|worker|migrate)(-\d)?$/;
const END_SECONDS = 40;

export function faultsInCompose(): string[] {
  const { services, secrets } = readCompose('compose.yaml', 'compose.production.yaml');
  return Object.entries(services).flatMap(([name, service]) => {
    const process = PROCESSES.exec(name)?.[1] as Process | undefined;
    if (process === undefined) return [];
    const faults = faultsOf(deployed(name, process, service));
    if (Number.parseInt(service.stop_grace_period ?? '0', 10) <= END_SECONDS)
      faults.push(`compose ${name}: stop_grace_period is too short`);
    for (const { source, target } of service.secrets ?? []) {
      const file = secrets[source]?.file;
      if (file === undefined) faults.push(`compose ${name}: no secret ${source}`);
      else if (!isFileOf(file, target)) faults.push(`compose ${name}: ${target} is ${file}`);
    }
    return faults;
  });
}

/** What follows the first limit in deploy/nginx/holdfast.conf is the same in compose. */
export function faultsInEdge(): string[] {
  const linesOf = (path: string) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    const lines = text.slice(text.indexOf('limit_conn holdfast_addresses')).trimEnd().split('\n');
    return lines.map((line) => line.trim());
  };
  const inCompose = linesOf('deploy/compose/nginx/proxy.inc');
  const [own, end] = [linesOf('deploy/nginx/holdfast.conf'), '}'];
  const isSame = own.join('\n') === [...inCompose, end].join('\n');
  return isSame ? [] : ['deploy/compose/nginx/proxy.inc differs from deploy/nginx/holdfast.conf'];
}

/** The owner's URL is one file under two names. */
function isFileOf(file: string, target: string): boolean {
  return file.endsWith(`/${target}`) || file.endsWith('/migrate/HOLDFAST_MIGRATION_DATABASE_URL');
}

function deployed(name: string, process: Process, service: Service): DeployedProcess {
  const { environment = {}, env_file = [], secrets = [] } = service;
  const files = env_file.map(({ path }) => {
    if (path.endsWith('identity.env')) return IDENTITY;
    return variablesIn(readFileSync(join(ROOT, `deploy/compose/${path}.example`), 'utf8'));
  });
  return {
    where: `compose ${name}`,
    process,
    environment: { HOLDFAST_HOST: '0.0.0.0', ...Object.assign({}, ...files), ...environment },
    files: Object.fromEntries(secrets.map(({ target }) => [target, `/run/secrets/${target}`])),
  };
}
