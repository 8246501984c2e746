//! The event patterns of an endpoint: everything, a family, or a type.

export function eventPatterns(types: readonly string[]): string[] {
  const families = new Set(types.map((type) => type.split('.')[0] ?? type));
  return ['*', ...[...families].map((family) => `${family}.*`), ...types];
}
