import { describe, expect, it } from 'vitest';
import { type SseMessage, SseParser } from '#stream/sse';

const bytesOf = (text: string) => new TextEncoder().encode(text);

function parse(...pieces: readonly Uint8Array[]): SseMessage[] {
  const parser = new SseParser();
  return pieces.flatMap((piece) => parser.push(piece));
}

const TEXT = [
  'id: 2026-11-15T05:00:00.000001Z',
  'event: order.released',
  'data: {"title":"Stühle für 10 € 🪑",',
  'data: "lines":2}',
  '',
  ': a comment',
  '',
  'event: ping',
  'data',
  '',
  'retry: 1234',
  '',
  'data:no blank',
  'unknown: field',
  '',
  'id: 7',
  'event: stream.reset',
  'data:  two blanks',
  '',
  '',
].join('\n');

const MESSAGES: readonly SseMessage[] = [
  {
    id: '2026-11-15T05:00:00.000001Z',
    event: 'order.released',
    data: '{"title":"Stühle für 10 € 🪑",\n"lines":2}',
    retryMs: undefined,
  },
  { id: undefined, event: 'ping', data: '', retryMs: undefined },
  { id: undefined, event: 'message', data: '', retryMs: 1234 },
  { id: undefined, event: 'message', data: 'no blank', retryMs: undefined },
  { id: '7', event: 'stream.reset', data: ' two blanks', retryMs: undefined },
];

describe.each([
  ['\\n', TEXT],
  ['\\r\\n', TEXT.replaceAll('\n', '\r\n')],
  ['\\r', TEXT.replaceAll('\n', '\r')],
  ['all three', TEXT.replace('\n', '\r\n').replace(/\n(?=data)/, '\r')],
])('messages whose lines end with %s', (_, text) => {
  const bytes = bytesOf(text);

  it('are read whole', () => expect(parse(bytes)).toEqual(MESSAGES));

  it('are read though they are cut in two at any byte', () => {
    for (let at = 0; at <= bytes.length; at += 1) {
      expect(parse(bytes.slice(0, at), bytes.slice(at)), `cut at ${at}`).toEqual(MESSAGES);
    }
  });

  it('are read though they are cut in three at any two bytes', () => {
    for (let one = 0; one < bytes.length; one += 3) {
      for (let two = one; two < bytes.length; two += 7) {
        const pieces = [bytes.slice(0, one), bytes.slice(one, two), bytes.slice(two)];
        expect(parse(...pieces)).toEqual(MESSAGES);
      }
    }
  });

  it('are read byte by byte', () => {
    expect(parse(...[...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(MESSAGES);
  });
});

it('gives no message that has not ended', () => {
  expect(parse(bytesOf('id: 1\ndata: half'))).toEqual([]);
  expect(parse(bytesOf('id: 1\ndata: half\n'))).toEqual([]);
});

it('ignores a byte order mark, and an id with a NUL', () => {
  expect(parse(bytesOf('\u{FEFF}data: x\n\n'))).toMatchObject([{ data: 'x' }]);
  expect(parse(bytesOf('id: a\0b\ndata: x\n\n'))).toMatchObject([{ id: undefined, data: 'x' }]);
});
