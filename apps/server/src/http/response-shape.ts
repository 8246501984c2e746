//! The shapes that answers are serialised by: both surfaces' envelopes around an endpoint's data.
import type { Endpoint } from '@holdfast/contract/endpoint';
import { type TSchema, Type } from 'typebox';

const meta = Type.Object({ requestId: Type.String(), timestamp: Type.String() });

export function responsesOf({ surface, success: { status, also, data, list } }: Endpoint) {
  if (surface === 'b') return { [status]: memberEnvelope(data) };
  const inner = list
    ? Type.Object({
        success: Type.Boolean(),
        data: Type.Array(data),
        hasMore: Type.Boolean(),
        nextCursor: Type.Union([Type.String(), Type.Null()]),
      })
    : Type.Object({ success: Type.Boolean(), data });
  const shape = Type.Object({ data: inner, meta });
  return { [status]: shape, ...(also === undefined ? {} : { [also]: shape }) };
}

function memberEnvelope(data: TSchema) {
  return Type.Object({
    code: Type.Integer(),
    type: Type.String(),
    ok: Type.Boolean(),
    message: Type.String(),
    data,
  });
}
