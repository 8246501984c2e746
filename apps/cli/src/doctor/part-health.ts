//! How a part is as the server itself says, where its settings are not known here.
import { type FaultName, type Finding, faulty, fine, skipped } from './check.ts';

const ANSWER_MS_MAX = 5000;

export interface Part {
  /** Its name in `GET /health/detailed`. */
  readonly name: 'redis' | 'engine';
  readonly called: string;
  /** Without which it cannot be looked at from here. */
  readonly setting: string;
  readonly fault: FaultName;
  readonly cure: string;
}

export async function partHealth(url: string, part: Part): Promise<Finding> {
  const { called, setting } = part;
  switch (await statusOf(url, part.name)) {
    case 'ok':
      return fine(`the server says that ${called} is there`);
    case 'down':
      return faulty(part.fault, `the server says that ${called} does not answer`, part.cure);
    case 'off':
      return skipped(`the server does without ${called}`);
    default:
      return skipped(`${setting} is not set here`);
  }
}

async function statusOf(url: string, name: string): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(ANSWER_MS_MAX);
    const answer = await fetch(`${url}/api/v1/health/detailed`, { signal });
    const body = (await answer.json()) as {
      data?: { data?: { checks?: Record<string, { status?: string }> } };
    };
    return body.data?.data?.checks?.[name]?.status;
  } catch {
    return undefined;
  }
}
