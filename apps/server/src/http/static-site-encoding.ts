//! The same file in fewer bytes: compressed once, and handed to whoever can read it.
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** What we prefer stands first. */
const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];
export type Bodies = Readonly<Partial<Record<Encoding, Buffer>>>;

/** Under this a packet is a packet, whatever is in it. */
const BYTES_MIN = 1024;
const TEXT = /^text\/|^application\/json|^image\/svg/;
// The best quality takes half a second for a large file, and saves little more.
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

const toGzip = promisify<Buffer, { level: number }, Buffer>(gzip);
const toBrotli = promisify<Buffer, typeof BROTLI, Buffer>(brotliCompress);

/** Without what compresses badly, and what is small anyway. */
export async function compressed(body: Buffer, type: string): Promise<Bodies> {
  if (!TEXT.test(type) || body.length < BYTES_MIN) return {};
  const [br, zipped] = await Promise.all([toBrotli(body, BROTLI), toGzip(body, { level: 9 })]);
  return { br, gzip: zipped };
}

/** Undefined when the file has to go out as it is. */
export function chosenEncoding(header: string | undefined, bodies: Bodies): Encoding | undefined {
  const wishes = wishesIn(header ?? '');
  const isTaken = (name: Encoding) => wishes.get(name) ?? wishes.get('*') ?? false;
  return ENCODINGS.find((name) => bodies[name] !== undefined && isTaken(name));
}

const NO_WEIGHT = /;\s*q=0(\.0*)?\s*$/;

/** Whether each encoding that is named is taken: `gzip;q=0` says that it is not. */
function wishesIn(header: string): Map<string, boolean> {
  const wishes = header.toLowerCase().split(',');
  return new Map(
    wishes.map((wish) => [wish.replace(/;.*/, '').trim(), !NO_WEIGHT.test(wish)] as const),
  );
}
