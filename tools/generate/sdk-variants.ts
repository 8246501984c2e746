//! Inputs whose fields depend on one of them, which a flat schema cannot express: in TypeScript
//! each case has its own fields.
import type { JsonSchema } from './schema.ts';

export interface Variant {
  /** Values of the field that distinguishes the cases. */
  readonly values: readonly string[];
  /** Optional in the schema, and needed here. */
  readonly needs: readonly string[];
  /** In the schema, and of no use here. */
  readonly refuses: readonly string[];
}

interface Variants {
  readonly by: string;
  readonly cases: readonly Variant[];
}

const AMOUNTS = ['releaseAmount', 'refundAmount'];

const DECISION: Variants = {
  by: 'decision',
  cases: [
    { values: ['FULL_RELEASE', 'FULL_REFUND'], needs: [], refuses: AMOUNTS },
    { values: ['SPLIT'], needs: AMOUNTS, refuses: [] },
  ],
};

const VARIANTS: Readonly<Record<string, Variants>> = {
  resolveDispute: DECISION,
  previewResolution: DECISION,
};

/** The schema of each case; undefined where the input is one interface. */
export function variantsOf(endpoint: string, schema: JsonSchema): JsonSchema[] | undefined {
  const variants = Object.hasOwn(VARIANTS, endpoint) ? VARIANTS[endpoint] : undefined;
  if (variants === undefined) return undefined;
  const { by, cases } = variants;
  const { properties = {}, required = [] } = schema;
  const values = properties[by]?.enum ?? [];
  const named = cases.flatMap((one) => [...one.needs, ...one.refuses]);
  const allowed = cases.flatMap((one) => one.values);
  const isSame =
    allowed.length === values.length && allowed.every((value) => values.includes(value));
  if (!isSame || named.some((name) => !Object.hasOwn(properties, name)))
    throw new Error(`the cases of ${endpoint} are not those of its schema`);
  return cases.map((one) => ({
    ...schema,
    required: [...required, ...one.needs],
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, part]) => {
        if (name === by) return [name, { ...part, enum: [...one.values] }];
        return [name, one.refuses.includes(name) ? { not: {} } : part];
      }),
    ),
  }));
}
