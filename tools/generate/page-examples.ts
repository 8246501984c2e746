//! Realistic examples for the pages: a string without an example gets one by its field name.
import { allowsNull, exampleOf, type JsonSchema } from './schema.ts';

const STRINGS: Readonly<Record<string, string>> = {
  title: 'A table',
  description: 'Oak, 80 by 140 cm',
  externalUserId: 'ada',
  email: 'ada@example.com',
  name: 'shop',
  key: 'hf_c1_…',
  api_key: 'hf_c1_…',
  token: 'eyJhbGciOiJIUzI1NiJ9…',
  ref: 'design',
  reference: 'invoice-1',
  clientOrderRef: 'table-1',
  reason: 'agreed with the buyer',
  note: 'Built, not painted.',
  assignedTo: 'agent-7',
  requestedBy: 'user-service',
  canceledBy: 'user-service',
  source: 'topup',
  destination: 'withdrawal',
  requestId: '3f0c1a52-6a0d-4c39-9c0e-5f7c2f7d9b11',
  correlationId: '3f0c1a52-6a0d-4c39-9c0e-5f7c2f7d9b11',
  version: '0.1.0',
  ledgerAddress: 'GCFX2EMVZ7EAPLNKIFTPWKGWX5HCQGMCQTBPTCPSYFBSPBZQCWJ5WXZY',
  address: 'GCFX2EMVZ7EAPLNKIFTPWKGWX5HCQGMCQTBPTCPSYFBSPBZQCWJ5WXZY',
  providerContractId: 'CDLZFC3SYJYDZT7K67VZ75HPJVIEUVNIXF47ZG2FB2RMQQVU2HHGCYSC',
  paymentAccountUserId: 'pau_4711',
  providerPayinId: 'pin_4711',
  confirmationUri: 'https://pay.example.com/payins/pin_4711',
  password: 'correct horse battery',
  evidence: 'https://shop.example.com/photos/1',
};

/** Fields whose own example would not fit the fields beside it. */
const FITTING: Readonly<Record<string, string>> = {
  reserved: '0.00',
  previousAvailableBalance: '0.00',
  previousReservedBalance: '0.00',
  releaseAmount: '70.00',
  refundAmount: '30.00',
  sellerId: 'usr_00k7qv41gm9dk3n7s5vx8e2jcf',
  fee: '5.00',
  expiresAt: '2099-12-31T12:00:00.000Z',
};

/** Of a body that takes either of two: what its example leaves out. */
const EITHER: Readonly<Record<string, readonly string[]>> = { replayWebhookEvents: ['since'] };

export function bodyExample(endpointId: string, schema: JsonSchema): Record<string, unknown> {
  const left = EITHER[endpointId] ?? [];
  const whole = Object.entries(pageExample(schema) as Record<string, unknown>);
  return Object.fromEntries(whole.filter(([name]) => !left.includes(name)));
}

/** As `exampleOf`, with words for strings that have none of their own. */
export function pageExample(
  schema: JsonSchema,
  name = '',
  nulls: 'null' | 'filled' = 'null',
): unknown {
  if (nulls === 'null' && allowsNull(schema)) return null;
  if (FITTING[name] !== undefined && schema.type !== 'object') return FITTING[name];
  if (isPlainText(schema)) return STRINGS[name] ?? 'text';
  if (schema.properties !== undefined) {
    const fields = Object.entries(schema.properties);
    return Object.fromEntries(fields.map(([key, part]) => [key, pageExample(part, key, nulls)]));
  }
  if (schema.items !== undefined) return [pageExample(schema.items, name, nulls)];
  return exampleOf(schema, nulls);
}

function isPlainText({ type, examples, enum: words, const: value, pattern, format }: JsonSchema) {
  const isText = type === 'string' || (Array.isArray(type) && type.includes('string'));
  const isFree = pattern === undefined || pattern === '^[^\\u0000]*$';
  const isOpen = [examples, words, value, format].every((one) => one === undefined);
  return isText && isFree && isOpen;
}
