//! Does Holdfast answer at its address, or does somebody else?
import { type Check, faulty, fine, reasonOf } from './check.ts';
import { programAtPort } from './program-at-port.ts';

const ANSWER_MS_MAX = 5000;

export const checkServer: Check = {
  name: 'server',
  needsServer: false,
  async look({ url }) {
    const begun = performance.now();
    let answer: Response;
    try {
      answer = await fetch(`${url}/api/v1/health`, {
        signal: AbortSignal.timeout(ANSWER_MS_MAX),
        redirect: 'manual',
      });
    } catch (error) {
      return whoIsThere(url, reasonOf(error));
    }
    const version = versionIn(await answer.text().catch(() => ''));
    if (version === undefined) return taken(url, `it answers ${answer.status} to GET /health`);
    return fine(`Holdfast ${version} answers in ${Math.round(performance.now() - begun)} ms`);
  },
};

/** A proxy's 502 is somebody else's answer too; its cure is the same: look who listens there. */
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
    `nothing answers at ${url}: ${reason}`,
    'start it with `holdfast dev`, or say where it is: --url or HOLDFAST_URL',
  );
}

function taken(url: string, how: string) {
  const { hostname, port } = new URL(url);
  const isHere = ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
  const program = isHere ? programAtPort(Number(port)) : undefined;
  const who = program === undefined ? 'another program' : `${program.name} (pid ${program.pid})`;
  return faulty(
    'port-taken',
    `${who} listens at ${url}, and it is not Holdfast: ${how}`,
    'end that program, or give Holdfast another port: HOLDFAST_PORT or `holdfast dev --port`',
  );
}
