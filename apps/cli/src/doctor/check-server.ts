//! Checks that Holdfast itself responds at its address, and not another program.
import { type Check, faulty, fine, reasonOf } from './check.ts';
import { programAtPort } from './program-at-port.ts';

const RESPONSE_TIMEOUT_MS = 5000;

export const checkServer: Check = {
  name: 'server',
  needsServer: false,
  async run({ url }) {
    const startedAt = performance.now();
    let response: Response;
    try {
      response = await fetch(`${url}/api/v1/health`, {
        signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
        redirect: 'manual',
      });
    } catch (error) {
      return whoIsThere(url, reasonOf(error));
    }
    const version = versionIn(await response.text().catch(() => ''));
    if (version === undefined) return taken(url, `HTTP ${response.status} for GET /health`);
    return fine(`Holdfast ${version} responds in ${Math.round(performance.now() - startedAt)} ms`);
  },
};

/** A proxy's 502 is another program's response too; the fix is the same: find who listens there. */
function versionIn(text: string): string | undefined {
  try {
    const { data } = JSON.parse(text) as { data?: { data?: { version?: unknown } } };
    const version = data?.data?.version;
    return typeof version === 'string' ? version : undefined;
  } catch {
    return undefined;
  }
}

/** A port that speaks no HTTP is taken; one that refuses is free. */
function whoIsThere(url: string, reason: string) {
  if (reason !== 'connection refused' && reason !== 'no such host') return taken(url, reason);
  return faulty(
    'server-down',
    `no server at ${url}: ${reason}`,
    'start one with `holdfast dev`, or pass --url (HOLDFAST_URL)',
  );
}

function taken(url: string, how: string) {
  const { hostname, port } = new URL(url);
  const isHere = ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
  const program = isHere ? programAtPort(Number(port)) : undefined;
  if (program === undefined)
    return faulty(
      'port-taken',
      `no valid response from Holdfast at ${url}: ${how}`,
      'check --url (HOLDFAST_URL); if another program uses this port, stop it or start Holdfast on another port',
    );
  return faulty(
    'port-taken',
    `${program.name} (pid ${program.pid}) is listening at ${url} instead of Holdfast: ${how}`,
    'stop that program, or use another port: HOLDFAST_PORT or `holdfast dev --port`',
  );
}
