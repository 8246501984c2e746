//! L7: a browser may guess types, frame responses, leak addresses or use old TLS.
import { connect } from 'node:tls';
import { SERVER_NAME } from '../../../harness/nginx.ts';
import { type Attack, unrecorded } from '../attack.ts';
import type { AttackWorld } from '../world.ts';

const WANTED: Readonly<Record<string, RegExp>> = {
  'strict-transport-security': /^max-age=31536000$/,
  'x-content-type-options': /^nosniff$/,
  'content-security-policy': /^default-src 'none'; frame-ancestors 'none'$/,
  'referrer-policy': /^no-referrer$/,
};

export const attack: Attack = {
  id: 'L7',
  title: 'use a browser against the responses',
  isQuick: true,
  evidence: unrecorded('the responses are ordinary ones'),
  run: async ({ request, nginx, ready }) => {
    const bearer = ready.apiKey;
    const replies = {
      success: await request('/users', { bearer }),
      'without a key': await request('/users'),
      'unknown path': await request('/no-such-route'),
      'malformed path': await request('/users/%zz'),
      'refused by nginx': await request('/users', { body: { a: 'x'.repeat(100_000) }, bearer }),
    };
    if (replies['refused by nginx'].status !== 413) throw new Error('nginx took a large body');
    const lacking = Object.entries(replies).flatMap(([name, { headers }]) =>
      Object.entries(WANTED)
        .filter(([header, wanted]) => !wanted.test(String(headers[header])))
        .map(([header]) => `no ${header}: ${name}`),
    );
    if (await acceptsOldTls(nginx)) lacking.push('TLS 1.1');
    return lacking.length === 0 ? undefined : lacking.join(', ');
  },
  withoutFix: {
    file: 'apps/server/src/api/http/server.ts',
    find: "'x-content-type-options': 'nosniff',",
    replace: "'x-content-type-options': 'none',",
  },
};

async function acceptsOldTls({ port, certificate: ca }: AttackWorld['nginx']): Promise<boolean> {
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL@SECLEVEL=0' } as const;
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, ca, servername: SERVER_NAME, ...old });
    socket.once('secureConnect', () => {
      socket.destroy();
      resolve(true);
    });
    // Refused by the server, and not by the client itself.
    socket.once('error', ({ message }) =>
      /alert protocol version/.test(message) ? resolve(false) : reject(new Error(message)),
    );
  });
}
