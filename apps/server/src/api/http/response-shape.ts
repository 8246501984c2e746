//! The schemas that serialise responses: both surfaces' envelopes around an endpoint's data.
import { APPROVAL_PENDING_STATUS, type Endpoint } from '@holdfast/contract/endpoint';
import { ApprovalView } from '@holdfast/contract/records/operator-records';
import { type TSchema, Type } from 'typebox';

const meta = Type.Object({ requestId: Type.String(), timestamp: Type.String() });

const approvalShape = Type.Object({
  data: Type.Object({ success: Type.Boolean(), data: ApprovalView }),
  meta,
});

export function responsesOf({
  surface,
  secondApprover,
  success: { status, also, data, list },
}: Endpoint) {
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
  return {
    [status]: shape,
    ...(also === undefined ? {} : { [also]: shape }),
    ...(secondApprover === undefined ? {} : { [APPROVAL_PENDING_STATUS]: approvalShape }),
  };
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
