//! Controls the sandbox in development: its clock and its faults.
import { refuse } from '@holdfast/contract/errors';
import { refuseField } from '@holdfast/contract/validation';

export interface LabFault {
  readonly provider: string;
  readonly operation: string;
  readonly kind: string;
  readonly times: number;
}

/** The controls of the sandbox that a test lab uses. */
export interface SandboxControl {
  clockOffsetMs(): Promise<number>;
  advanceClock(seconds: number): Promise<void>;
  faults(): Promise<LabFault[]>;
  armFault(fault: LabFault): Promise<void>;
  clearFaults(): Promise<void>;
}

const RESPONSE_TIMEOUT_MS = 5000;

export function httpSandboxControl(baseUrl: string): SandboxControl {
  const send = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${baseUrl}/control${path}`, {
      method,
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    }).catch(() => refuse('SERVICE_UNAVAILABLE', { reason: 'the sandbox did not respond' }));
    const json: unknown = await response.json().catch(() => ({}));
    if (response.ok) return json;
    const { message = 'the sandbox refused' } = json as { message?: string };
    return refuseField('body', 'malformed', message);
  };
  return {
    clockOffsetMs: async () => {
      const { offsetMs } = (await send('GET', '/clock')) as { offsetMs: number };
      return offsetMs;
    },
    advanceClock: async (seconds) => void (await send('POST', '/clock/advance', { seconds })),
    faults: async () => ((await send('GET', '/faults')) as { faults: LabFault[] }).faults,
    armFault: async (fault) => void (await send('POST', '/faults', fault)),
    clearFaults: async () => void (await send('DELETE', '/faults')),
  };
}
