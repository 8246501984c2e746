//! The allowed targets of webhooks: URLs, and the addresses that they may resolve to.
import { BlockList, isIP } from 'node:net';

export interface EgressRules {
  /** Development sends to the developer's own machine, also over http. */
  readonly allowsLoopback: boolean;
}

/** The reason why nothing is ever sent there; the detail is for our log only. */
export class EgressRefusal extends Error {
  override readonly name = 'EgressRefusal';
  readonly detail: string;

  constructor(message: string, detail: string = message) {
    super(message);
    this.detail = detail;
  }
}

/** Also for a name that does not exist: the caller must not learn which names there are inside. */
export function notPublic(detail: string): EgressRefusal {
  return new EgressRefusal('the host does not resolve to a public address', detail);
}

/** Reserved by IANA for special purposes: none is a public server. */
const RESERVED_V4: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** Within the global unicast range: tunnels that carry another address inside, and examples. */
const RESERVED_V6: readonly [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];

const reserved = new BlockList();
for (const [net, bits] of RESERVED_V4) reserved.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of RESERVED_V6) reserved.addSubnet(net, bits, 'ipv6');
/** All other addresses are local, mapped, translated, multicast or unassigned. */
const globalV6 = new BlockList();
globalV6.addSubnet('2000::', 3, 'ipv6');
const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
/** A mapped address does not count: only a plain loopback address does. */
const isMapped = (address: string) => /^::ffff:/i.test(address);

export function isLoopback(address: string): boolean {
  return isIP(address) > 0 && !isMapped(address) && loopback.check(address, familyOf(address));
}

/** Throws when nothing may be sent to this address. */
export function checkAddress(address: string, { allowsLoopback }: EgressRules): void {
  if (allowsLoopback && isLoopback(address)) return;
  const family = isIP(address);
  const isPublic =
    family === 4
      ? !reserved.check(address, 'ipv4')
      : family === 6 && globalV6.check(address, 'ipv6') && !reserved.check(address, 'ipv6');
  if (!isPublic) throw notPublic(`${address} is not public`);
}

const PORTS_FROM = 1024;
/** Parsers differ in their treatment of other slashes, of backslashes and of white space. */
const PLAIN = /^[a-z]+:\/\/[^/\\\s\p{Cc}][^\\\s\p{Cc}]*$/u;

/** Throws when the URL is wrong for any address; addresses are checked when it is used. */
export function readTarget(text: string, rules: EgressRules): URL {
  const url = PLAIN.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.hostname === '') throw new EgressRefusal('not a URL');
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && rules.allowsLoopback))
    throw new EgressRefusal('the URL must use https');
  if (url.username !== '' || url.password !== '')
    throw new EgressRefusal('the URL must not contain credentials');
  if (url.hash !== '') throw new EgressRefusal('the URL must not have a fragment');
  if (url.hostname.endsWith('.')) throw new EgressRefusal('the host name must not end with a dot');
  if (url.protocol === 'https:' && url.port !== '' && +url.port < PORTS_FROM)
    throw new EgressRefusal(`port ${url.port} is not allowed; use 443, or ${PORTS_FROM} and above`);
  const address = addressIn(url);
  if (address !== undefined) checkAddress(address, rules);
  return url;
}

/** The address itself, where the URL names one instead of a host. */
export function addressIn({ hostname }: URL): string | undefined {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return isIP(bare) > 0 ? bare : undefined;
}
