//! Compressed forms of static files: compressed once, and sent to clients that accept them.
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** In order of preference. */
const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];
export type Bodies = Readonly<Partial<Record<Encoding, Buffer>>>;

/** Smaller files fit into one packet anyway. */
const BYTES_MIN = 1024;
const TEXT = /^text\/|^application\/json|^image\/svg/;
// The best quality takes half a second for a large file, and saves little more.
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

const toGzip = promisify<Buffer, { level: number }, Buffer>(gzip);
const toBrotli = promisify<Buffer, typeof BROTLI, Buffer>(brotliCompress);

/** Excludes files that compress badly, and small files. */
export async function compressed(body: Buffer, type: string): Promise<Bodies> {
  if (!TEXT.test(type) || body.length < BYTES_MIN) return {};
  const [br, zipped] = await Promise.all([toBrotli(body, BROTLI), toGzip(body, { level: 9 })]);
  return { br, gzip: zipped };
}

/** Undefined when the file must be sent uncompressed. */
export function chosenEncoding(header: string | undefined, bodies: Bodies): Encoding | undefined {
  const accepted = acceptedEncodings(header ?? '');
  const isTaken = (name: Encoding) => accepted.get(name) ?? accepted.get('*') ?? false;
  return ENCODINGS.find((name) => bodies[name] !== undefined && isTaken(name));
}

const NO_WEIGHT = /;\s*q=0(\.0*)?\s*$/;

/** Whether each named encoding is accepted: `gzip;q=0` means it is not. */
function acceptedEncodings(header: string): Map<string, boolean> {
  const accepted = header.toLowerCase().split(',');
  return new Map(
    accepted.map((item) => [item.replace(/;.*/, '').trim(), !NO_WEIGHT.test(item)] as const),
  );
}
