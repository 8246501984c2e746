//! Base 32: five bits of bytes for each character of an alphabet.

/** The alphabet of RFC 4648, for addresses of the network and secrets of authenticators. */
const RFC_4648 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Without padding: bits that are left over fill the upper part of one last character. */
export function encodeBase32(bytes: Uint8Array, alphabet = RFC_4648): string {
  let text = '';
  let buffer = 0;
  let bits = 0;
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += alphabet[(buffer >> bits) & 31];
    }
    buffer &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + alphabet[(buffer << (5 - bits)) & 31];
}

/** The bytes of a text in the alphabet of RFC 4648; bits that are left over are dropped. */
export function decodeBase32(text: string): Uint8Array {
  const bytes = new Uint8Array(Math.floor((text.length * 5) / 8));
  let buffer = 0;
  let bits = 0;
  let at = 0;
  for (const letter of text) {
    buffer = (buffer << 5) | RFC_4648.indexOf(letter);
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at] = buffer >> bits;
    at += 1;
    buffer &= (1 << bits) - 1;
  }
  return bytes;
}
