//! The calls that the API reference shows, sent unchanged.
import { type Endpoint, errorsOf } from '@holdfast/contract/endpoint';
import { type ErrorCode, errors, statusOf } from '@holdfast/contract/errors';
import { SURFACE_A_BASE, surfaceA } from '@holdfast/contract/surface-a';
import { surfaceB } from '@holdfast/contract/surface-b';
import { reference } from './pages.ts';

export interface ShownCall {
  readonly endpoint: Endpoint;
  readonly command: string;
}

const endpoints = new Map(
  Object.values<Endpoint>({ ...surfaceA, ...surfaceB }).map((one) => [
    `${one.method} ${one.surface === 'a' ? SURFACE_A_BASE : ''}${one.path}`,
    one,
  ]),
);

/**
 * Each `http` block names an endpoint, and the next `sh` block calls it, unless providers call it.
 */
export function shownCalls(): ShownCall[] {
  return reference.flatMap(({ path, blocks }) =>
    blocks
      .filter(({ language }) => language === 'http')
      .flatMap((block) => {
        const endpoint = endpoints.get(block.text.trim());
        if (endpoint?.scope === 'signature') return [];
        const call = blocks[blocks.indexOf(block) + 1];
        if (endpoint === undefined || call?.language !== 'sh')
          throw new Error(`${path}:${block.line} shows no call of an endpoint`);
        return [{ endpoint, command: call.text.trim() }];
      }),
  );
}

export const CALLED_COUNT = [...endpoints.values()].filter(
  ({ scope }) => scope !== 'signature',
).length;

/** The fault of a response; undefined if the endpoint declares it and accepted the request. */
export function faultOf({ endpoint }: ShownCall, status: number, body: string): string | undefined {
  const { success } = endpoint;
  if ([success.status, success.also].includes(status)) return undefined;
  const message = `${endpoint.id} returned ${status} ${body}`;
  const code = errorsOf(endpoint).find((one) => body.includes(wordOf(one, endpoint)));
  if (code === undefined || code === 'VALIDATION_ERROR') return message;
  return statusOf(code, endpoint) === status ? undefined : message;
}

/** On Surface B the message alone identifies an error. */
function wordOf(code: ErrorCode, { surface }: Endpoint): string {
  return surface === 'a' ? `"${code}"` : errors[code].message;
}
