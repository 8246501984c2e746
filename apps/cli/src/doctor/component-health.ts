//! Reads the health of a component from the server, where its settings are not known here.
import { type FaultName, type Finding, faulty, fine, skipped } from './check.ts';

const RESPONSE_TIMEOUT_MS = 5000;

export interface Component {
  /** Its name in `GET /health/detailed`. */
  readonly name: 'redis' | 'engine';
  readonly called: string;
  /** The setting that a check from here needs. */
  readonly setting: string;
  readonly fault: FaultName;
  readonly fix: string;
}

export async function componentHealth(url: string, component: Component): Promise<Finding> {
  const { called, setting } = component;
  switch (await statusOf(url, component.name)) {
    case 'ok':
      return fine(`${called} is up, according to the server`);
    case 'down':
      return faulty(
        component.fault,
        `${called} does not respond, according to the server`,
        component.fix,
      );
    case 'off':
      return skipped(`the server runs without ${called}`);
    default:
      return skipped(
        `not checked: the server does not report the status of ${called}, and ${setting} is not set in this environment`,
      );
  }
}

async function statusOf(url: string, name: string): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
    const response = await fetch(`${url}/api/v1/health/detailed`, { signal });
    const body = (await response.json()) as {
      data?: { data?: { checks?: Record<string, { status?: string }> } };
    };
    return body.data?.data?.checks?.[name]?.status;
  } catch {
    return undefined;
  }
}
