//! The api process as it is, and a signal that switches the recording of its metrics.
import { setRecording } from '../../apps/server/src/platform/telemetry/metrics.ts';

let isOn = true;
process.on('SIGUSR2', () => {
  isOn = !isOn;
  setRecording(isOn);
});

await import('../../apps/server/src/programs/api.ts');
