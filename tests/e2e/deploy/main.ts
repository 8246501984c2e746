//! `npm run test:deploy`: what deploy/ and the compose files would start. Objects of Kubernetes are
//! rendered and validated, and each process gets the settings and secrets that it accepts.
import { findProgram } from '../../../tools/installed.ts';
import { print } from '../../harness/report.ts';
import { runHarness } from '../../harness/run.ts';
import { faultsInCompose, faultsInEdge } from './compose.ts';
import { faultsInOverlay } from './kubernetes.ts';
import { faultsInUnits } from './systemd.ts';

const OVERLAYS = ['overlays/small', 'overlays/production'];

await runHarness({ name: 'npm run test:deploy', options: {} }, async () => {
  const faults = [...faultsInCompose(), ...faultsInEdge(), ...faultsInUnits()];
  if (findProgram('kubectl') === undefined) {
    print('kubectl is not installed: the objects of Kubernetes are not checked');
    return faults;
  }
  for (const overlay of OVERLAYS) faults.push(...(await faultsInOverlay(overlay)));
  return faults;
});
