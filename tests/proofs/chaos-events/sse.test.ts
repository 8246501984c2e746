//! Tests the SSE reader with messages that arrive in arbitrary chunks.
import { expect, test } from 'vitest';
import { messageReader } from './sse.ts';

const stream = Buffer.from(
  ': hello\n\nid: 1\nevent: order.created\ndata: {"title":"Grüße 🦀"}\n\n' +
    'retry: 500\n\nevent: ping\ndata: {}\r\n\r\ndata: one\ndata: two\n\nid: 9\nda',
);

test('reads the same messages from any division into chunks', () => {
  for (let size = 1; size <= stream.length; size += 1) {
    const reader = messageReader();
    const messages = Array.from({ length: Math.ceil(stream.length / size) }, (_, at) =>
      reader.read(stream.subarray(at * size, (at + 1) * size)),
    ).flat();
    expect(messages).toEqual([
      { id: '1', name: 'order.created', data: '{"title":"Grüße 🦀"}' },
      { name: 'ping', data: '{}' },
      { name: 'message', data: 'one\ntwo' },
    ]);
    expect(reader.isMidMessage()).toBe(true);
  }
});

test('has no partial message between two messages', () => {
  const reader = messageReader();
  expect(reader.read(Buffer.from('data: 1\n'))).toEqual([]);
  expect(reader.isMidMessage()).toBe(true);
  expect(reader.read(Buffer.from('\n'))).toEqual([{ name: 'message', data: '1' }]);
  expect(reader.isMidMessage()).toBe(false);
});
