//! Which types of events a reader gets. While two builds run side by side, the log has types that
//! only the newer one knows: the older one filters them by name and family too, and skips none.

/** Names of types, and families such as `order`, whose types all pass. */
export class TypeFilter {
  readonly names: ReadonlySet<string>;
  readonly families: ReadonlySet<string>;

  constructor(names: Iterable<string>, families: Iterable<string> = []) {
    this.names = new Set(names);
    this.families = new Set(families);
  }

  has(type: string): boolean {
    return this.names.has(type) || this.families.has(familyOf(type));
  }
}

export const NO_TYPES = new TypeFilter([]);

/** The first word of a type. */
export function familyOf(type: string): string {
  return type.slice(0, type.indexOf('.'));
}
