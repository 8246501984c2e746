//! Where an address of the settings leads: to this machine, to a private network, or elsewhere.
import { BlockList, isIP } from 'node:net';
import { databaseUrls } from '@holdfast/kernel/database-urls';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

const privateNetworks = new BlockList();
privateNetworks.addSubnet('10.0.0.0', 8);
privateNetworks.addSubnet('172.16.0.0', 12);
privateNetworks.addSubnet('192.168.0.0', 16);
privateNetworks.addSubnet('169.254.0.0', 16);
privateNetworks.addSubnet('fc00::', 7, 'ipv6');
privateNetworks.addSubnet('fe80::', 10, 'ipv6');

/** Of a URL, or of an address alone. */
export function isLoopback(address: string): boolean {
  const host = hostOf(address);
  return host === 'localhost' || isIn(loopback, host);
}

/** No public name has a single label or one of these ends. */
export function isPrivate(address: string): boolean {
  const host = hostOf(address);
  if (isIP(host) !== 0) return isIn(loopback, host) || isIn(privateNetworks, host);
  return (
    /^[a-z0-9_-]+$/i.test(host) || /\.(internal|local|localhost|svc|lan|home\.arpa)$/i.test(host)
  );
}

/** On this machine: by loopback, or by a socket. `defaultHost` is used where the URL names none. */
export function isLocalDatabase(url: string, defaultHost: string | undefined): boolean {
  return databaseUrls(url).every((each) => isLocalHost(each, defaultHost));
}

function isLocalHost(url: string, defaultHost: string | undefined): boolean {
  if (url.startsWith('/') || url.startsWith('socket:')) return true;
  const read = readUrl(url);
  if (read === undefined) return false;
  const named = read.searchParams.getAll('host').filter((host) => host !== '');
  const hosts = named.length > 0 ? named : [decodeURIComponent(read.hostname)];
  return hosts
    .map((host) => host || defaultHost || 'localhost')
    .every((host) => host.startsWith('/') || isLoopback(host));
}

/** Encrypted, with the server's certificate and its name verified. */
export function isVerifiedDatabase(url: string): boolean {
  const modes = readUrl(databaseUrls(url)[0])?.searchParams.getAll('sslmode') ?? [];
  return modes.length > 0 && modes.every((mode) => mode === 'verify-full');
}

/** The driver also accepts a URL with a user and no host. */
function readUrl(url: string): URL | undefined {
  if (!/^postgres(ql)?:\/\//.test(url)) return undefined;
  return URL.parse(url) ?? URL.parse(url.replace(/^(\w+:\/\/)[^/]*@\//, '$1/')) ?? undefined;
}

function hostOf(address: string): string {
  const host = address.includes('://') ? (URL.parse(address)?.hostname ?? '') : address;
  return host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
}

function isIn(list: BlockList, host: string): boolean {
  const family = isIP(host);
  return family !== 0 && list.check(host, family === 6 ? 'ipv6' : 'ipv4');
}
