//! How the pretended world is steered, in development: its clock and its faults.
import { refuse } from '@holdfast/contract/errors';

export interface LabFault {
  readonly provider: string;
  readonly operation: string;
  readonly kind: string;
  readonly times: number;
}

/** The sandbox, as far as a test lab steers it. */
export interface SandboxControl {
  clockOffsetMs(): Promise<number>;
  advanceClock(seconds: number): Promise<void>;
  faults(): Promise<LabFault[]>;
  armFault(fault: LabFault): Promise<void>;
  clearFaults(): Promise<void>;
}

const ANSWER_MS_MAX = 5000;

export function httpSandboxControl(baseUrl: string): SandboxControl {
  const send = async (method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(`${baseUrl}/control${path}`, {
      method,
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    }).catch(() => refuse('SERVICE_UNAVAILABLE', { reason: 'the sandbox does not answer' }));
    const told: unknown = await answer.json().catch(() => ({}));
    if (answer.ok) return told;
    const { message = 'the sandbox refused' } = told as { message?: string };
    return refuse('VALIDATION_ERROR', { validationErrors: [message] });
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
