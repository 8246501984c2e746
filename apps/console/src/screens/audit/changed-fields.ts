//! The fields of an audit record before and after the change.

type Facts = Readonly<Record<string, unknown>> | null;

export interface ChangedField {
  readonly name: string;
  /** Undefined when it was not there. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export function changedFields(before: Facts, after: Facts): readonly ChangedField[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names.map((name) => ({
    name,
    before: textOf(before?.[name]),
    after: textOf(after?.[name]),
  }));
}

/** Text as it is; everything else as JSON. */
function textOf(value: unknown): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  return JSON.stringify(value);
}
