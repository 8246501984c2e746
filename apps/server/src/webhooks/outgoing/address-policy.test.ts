import { describe, expect, it } from 'vitest';
import { checkAddress, EgressRefusal, readTarget } from './address-policy.ts';

const publicOnly = { allowsLoopback: false };
const development = { allowsLoopback: true };

const ONES = 'ffff:ffff:ffff:ffff:ffff';

/** Every refused range: its first and last address, and the public ones beside it. */
const BORDERS: readonly (readonly [string | null, string, string, string | null])[] = [
  [null, '0.0.0.0', '0.255.255.255', '1.0.0.0'],
  ['9.255.255.255', '10.0.0.0', '10.255.255.255', '11.0.0.0'],
  ['100.63.255.255', '100.64.0.0', '100.127.255.255', '100.128.0.0'],
  ['126.255.255.255', '127.0.0.0', '127.255.255.255', '128.0.0.0'],
  ['169.253.255.255', '169.254.0.0', '169.254.255.255', '169.255.0.0'],
  ['172.15.255.255', '172.16.0.0', '172.31.255.255', '172.32.0.0'],
  ['191.255.255.255', '192.0.0.0', '192.0.0.255', '192.0.1.0'],
  ['192.0.1.255', '192.0.2.0', '192.0.2.255', '192.0.3.0'],
  ['192.31.195.255', '192.31.196.0', '192.31.196.255', '192.31.197.0'],
  ['192.52.192.255', '192.52.193.0', '192.52.193.255', '192.52.194.0'],
  ['192.88.98.255', '192.88.99.0', '192.88.99.255', '192.88.100.0'],
  ['192.167.255.255', '192.168.0.0', '192.168.255.255', '192.169.0.0'],
  ['192.175.47.255', '192.175.48.0', '192.175.48.255', '192.175.49.0'],
  ['198.17.255.255', '198.18.0.0', '198.19.255.255', '198.20.0.0'],
  ['198.51.99.255', '198.51.100.0', '198.51.100.255', '198.51.101.0'],
  ['203.0.112.255', '203.0.113.0', '203.0.113.255', '203.0.114.0'],
  ['223.255.255.255', '224.0.0.0', '255.255.255.255', null],
  [null, '::', `1fff:ffff:ffff:${ONES}`, '2000::'],
  [`2000:ffff:ffff:${ONES}`, '2001::', `2001:1ff:ffff:${ONES}`, '2001:200::'],
  [`2001:db7:ffff:${ONES}`, '2001:db8::', `2001:db8:ffff:${ONES}`, '2001:db9::'],
  [`2001:ffff:ffff:${ONES}`, '2002::', `2002:ffff:ffff:${ONES}`, '2003::'],
  [`2620:4f:7fff:${ONES}`, '2620:4f:8000::', `2620:4f:8000:${ONES}`, '2620:4f:8001::'],
  [`3ffe:ffff:ffff:${ONES}`, '3fff::', `3fff:fff:ffff:${ONES}`, '3fff:1000::'],
  [`3fff:ffff:ffff:${ONES}`, '4000::', `ffff:ffff:ffff:${ONES}`, null],
];

describe('checking an address', () => {
  it.each(BORDERS)('accepts %s, refuses %s to %s, accepts %s', (...row) => {
    const [before, first, last, after] = row;
    for (const address of [first, last])
      expect(() => checkAddress(address, publicOnly)).toThrow(EgressRefusal);
    for (const address of [before, after])
      if (address !== null) expect(checkAddress(address, publicOnly)).toBeUndefined();
  });

  it.each([
    ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.127.255.254'],
    ...['127.0.0.1', '127.255.255.255', '169.254.0.1', '169.254.169.254', '172.16.0.1'],
    ...['172.31.255.255', '192.0.0.8', '192.0.2.1', '192.88.99.1', '192.168.0.1', '198.18.0.1'],
    ...['198.19.255.255', '198.51.100.7', '203.0.113.7', '224.0.0.1', '239.255.255.255'],
    ...['240.0.0.1', '255.255.255.255', '::', '::1', '::ffff:127.0.0.1', '::ffff:8.8.8.8'],
    ...['::ffff:7f00:1', '::127.0.0.1', '64:ff9b::7f00:1', '64:ff9b::808:808', '64:ff9b:1::1'],
    ...['100::1', '2001::1', '2001:db8::1', '2002:7f00:1::', '2002:808:808::1', '3fff::1'],
    ...['5f00::1', 'fc00::1', 'fd12:3456::1', 'fe80::1', 'fec0::1', 'ff02::1'],
    ...['', 'localhost', '1.2.3', '999.1.1.1'],
  ])('refuses %j', (address) => {
    expect(() => checkAddress(address, publicOnly)).toThrow(EgressRefusal);
  });

  it.each(['8.8.8.8', '100.63.0.1', '100.128.0.1', '172.15.0.1', '172.32.0.1', '192.167.1.1'])(
    'accepts %s as public',
    (address) => expect(checkAddress(address, publicOnly)).toBeUndefined(),
  );

  it.each(['2606:4700::1111', '2a00:1450::1', '2001:4860:4860::8888'])(
    'accepts %s as public',
    (address) => expect(checkAddress(address, publicOnly)).toBeUndefined(),
  );

  it('accepts this machine in development, and no other private address', () => {
    for (const address of ['127.0.0.1', '127.8.8.8', '::1'])
      expect(checkAddress(address, development)).toBeUndefined();
    for (const address of ['10.0.0.1', '::ffff:127.0.0.1', '169.254.169.254', '0.0.0.0', '::'])
      expect(() => checkAddress(address, development)).toThrow(EgressRefusal);
  });
});

/** Each of them is refused before a name is resolved. */
const HOSTILE = [
  'http://example.com/hook',
  'http://127.0.0.1/',
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.1/',
  'https://0177.0.0.1/',
  'https://017700000001/',
  'https://127.1/',
  'https://0/',
  'https://127.0.0.1%2e/',
  'https://[::1]/',
  'https://[::]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[fe80::1]/',
  'https://[fd00:ec2::254]/',
  'https://169.254.169.254/latest/meta-data/',
  'https://2852039166/latest/meta-data/',
  'https://①⑥⑨.②⑤④.①⑥⑨.②⑤④/',
  'https://127。0。0。1/',
  'https://10.0.0.7:8443/',
  'https://user@example.com/',
  'https://user:password@example.com/',
  'https://example.com@127.0.0.1/',
  'https://8.8.8.8@169.254.169.254/',
  'https://example.com:22/',
  'https://example.com:25/',
  'https://example.com:80/',
  'https://example.com./',
  'https://localhost./',
  'https://example.com/#fragment',
  'file:///etc/passwd',
  'gopher://127.0.0.1:6379/_FLUSHALL',
  'ftp://example.com/',
  'javascript:alert(1)',
  'data:text/plain,hello',
  'unix:/var/run/docker.sock',
  '//example.com/',
  'example.com',
  'https://',
  'https:///path',
  'https://exa mple.com/',
  'https:\\\\example.com/',
  'https://example.com\\@127.0.0.1/',
  'https://example\t.com/',
  'https:/example.com/',
  '',
];

describe('checking a URL', () => {
  it.each(HOSTILE)('refuses %j', (url) => {
    expect(() => readTarget(url, publicOnly)).toThrow(EgressRefusal);
  });

  it.each([
    'https://shop.example.com/hook',
    'https://shop.example.com:8443/hook?a=b',
    'https://shop.example.com:3000/',
    'https://8.8.8.8/hook',
    'https://bücher.example/hook',
  ])('accepts %s', (url) => {
    expect(readTarget(url, publicOnly)).toBeInstanceOf(URL);
  });

  it('accepts http in development only', () => {
    expect(readTarget('http://127.0.0.1:3000/', development)).toBeInstanceOf(URL);
    expect(() => readTarget('http://10.0.0.1:3000/', development)).toThrow(EgressRefusal);
    expect(() => readTarget('gopher://127.0.0.1:3000/', development)).toThrow(EgressRefusal);
  });
});
