//! Debian's nginx on loopback, with the configuration from deploy/.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { adopt } from '../../apps/cli/src/children.ts';
import { freePorts } from '../../apps/cli/src/local-restate.ts';
import { within } from './wait.ts';

const TEMPLATE = new URL('../../deploy/nginx/holdfast.conf', import.meta.url);
export const SERVER_NAME = 'holdfast.example';

export interface Nginx {
  readonly port: number;
  /** The URLs of the `others`, over TLS. */
  readonly others: readonly string[];
  /** A self-signed certificate. */
  readonly certificate: string;
  /** For NODE_EXTRA_CA_CERTS. */
  readonly certificateFile: string;
  /** New workers take over; the old ones may finish for a second. */
  reload(): void;
  /** The lines of its error log so far. */
  errors(): string[];
  stop(): Promise<void>;
}

/** Replacements in the template; each text must occur there. */
export type Changes = Readonly<Record<string, string>>;

/** In front of the api as deploy/ has it, and of `others` with TLS alone. */
export async function startNginx(
  program: string,
  apiUrl: string,
  { changes = {}, others = [] }: { changes?: Changes; others?: readonly string[] } = {},
): Promise<Nginx> {
  const home = mkdtempSync(join(tmpdir(), 'holdfast-nginx-'));
  const [port, ...otherPorts] = (await freePorts(1 + others.length)) as [number, ...number[]];
  const certificate = createCertificate(home);
  const own = {
    '127.0.0.1:4400': new URL(apiUrl).host,
    'listen 443 ': `listen 127.0.0.1:${port} `,
    '/etc/ssl/holdfast/certificate.pem': join(home, 'certificate.pem'),
    '/etc/ssl/holdfast/key.pem': join(home, 'key.pem'),
  };
  writeFileSync(join(home, 'holdfast.conf'), changed({ ...own, ...changes }));
  const servers = others.map((url, at) => tlsServer(home, otherPorts[at] as number, url));
  writeFileSync(join(home, 'nginx.conf'), hostConfiguration(home, servers));
  mkdirSync(join(home, 'temp'));
  const args = ['-p', home, '-e', join(home, 'error.log'), '-c', join(home, 'nginx.conf')];
  const master = adopt(spawn(program, args, { stdio: 'ignore' }), 'SIGTERM');
  const gone = once(master, 'exit');
  await untilOpen(port, () => readFileSync(join(home, 'error.log'), 'utf8'));
  return {
    port,
    others: otherPorts.map((each) => `https://127.0.0.1:${each}`),
    certificate,
    certificateFile: join(home, 'certificate.pem'),
    reload: () => void execFileSync(program, [...args, '-s', 'reload'], { stdio: 'ignore' }),
    errors: () => readFileSync(join(home, 'error.log'), 'utf8').trimEnd().split('\n'),
    stop: async () => {
      master.kill('SIGTERM');
      await gone;
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function changed(changes: Changes): string {
  let text = readFileSync(TEMPLATE, 'utf8');
  for (const [from, to] of Object.entries(changes)) {
    if (!text.includes(from)) throw new Error(`the template does not contain ${from}`);
    text = text.replaceAll(from, to);
  }
  return text;
}

/**
 * A host whose own settings break streams, so the template itself must contain all that it needs.
 */
function hostConfiguration(home: string, servers: readonly string[]): string {
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(home, 'temp', name)};`,
  );
  return `
    daemon off;
    ${userInfo().uid === 0 ? 'user root;' : ''}
    pid ${join(home, 'nginx.pid')};
    worker_processes 1;
    worker_shutdown_timeout 1s;
    events { worker_connections 2048; }
    http {
      ${temp.join('\n')}
      access_log off;
      gzip on;
      gzip_types *;
      gzip_proxied any;
      gzip_min_length 1;
      proxy_buffering on;
      proxy_buffer_size 64k;
      proxy_buffers 8 64k;
      proxy_read_timeout 3s;
      include ${join(home, 'holdfast.conf')};
      ${servers.join('\n')}
    }`;
}

function tlsServer(home: string, port: number, url: string): string {
  return `
    server {
      listen 127.0.0.1:${port} ssl;
      ssl_certificate ${join(home, 'certificate.pem')};
      ssl_certificate_key ${join(home, 'key.pem')};
      location / {
        proxy_pass ${url};
        proxy_http_version 1.1;
        proxy_set_header Connection "";
        proxy_buffering off;
        proxy_read_timeout 60s;
      }
    }`;
}

function createCertificate(home: string): string {
  const [path, key] = [join(home, 'certificate.pem'), join(home, 'key.pem')];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const names = `subjectAltName=DNS:${SERVER_NAME},IP:127.0.0.1`;
  const subject = ['-subj', `/CN=${SERVER_NAME}`, '-addext', names];
  execFileSync(
    'openssl',
    ['req', '-x509', '-days', '2', ...kind, ...subject, '-keyout', key, '-out', path],
    { stdio: 'ignore' },
  );
  return readFileSync(path, 'utf8');
}

async function untilOpen(port: number, errors: () => string): Promise<void> {
  const isOpen = async () => {
    const socket = connect(port, '127.0.0.1');
    const connected = once(socket, 'connect').then(
      () => true,
      () => false,
    );
    return connected.finally(() => socket.destroy());
  };
  if (!(await within(5_000, isOpen))) throw new Error(`nginx did not open its port:\n${errors()}`);
}
