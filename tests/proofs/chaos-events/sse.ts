//! Parses a stream of server-sent events: chunks become complete messages.
import { StringDecoder } from 'node:string_decoder';

export interface Message {
  /** Absent when the message has no id of its own. */
  readonly id?: string;
  /** Its `event:` field; `message` when it has none. */
  readonly name: string;
  readonly data: string;
}

export interface MessageReader {
  /** The messages that this chunk completes. */
  read(piece: Buffer): Message[];
  /** Part of a message has arrived. */
  isMidMessage(): boolean;
}

export function messageReader(): MessageReader {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let fields = new Map<string, string[]>();
  const take = (line: string): Message | undefined => {
    if (line === '') {
      const message = messageOf(fields);
      fields = new Map();
      return message;
    }
    const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/su.exec(line) ?? [];
    if (name !== '') fields.set(name, [...(fields.get(name) ?? []), value]);
    return undefined;
  };
  return {
    read(piece) {
      rest += decoder.write(piece);
      const lines = rest.split(/\r\n|\n|\r(?!$)/u);
      rest = lines.pop() ?? '';
      return lines.map(take).filter((message) => message !== undefined);
    },
    isMidMessage: () => rest !== '' || fields.size > 0,
  };
}

/** Without data there is no message, only a comment or a `retry:`. */
function messageOf(fields: ReadonlyMap<string, readonly string[]>): Message | undefined {
  const data = fields.get('data');
  if (data === undefined) return undefined;
  const id = fields.get('id')?.at(-1);
  return {
    ...(id === undefined ? {} : { id }),
    name: fields.get('event')?.at(-1) ?? 'message',
    data: data.join('\n'),
  };
}
