//! The metrics of ours that an expression names, without the endings of histograms.

/** Recorded series have a colon and are not metrics. */
export function metricsIn(expression: string): string[] {
  const names = expression.match(/\b(holdfast_|http_server_)\w+(?!\w*:)/g) ?? [];
  return [...new Set(names.map((name) => name.replace(/_(bucket|count|sum)$/, '')))];
}
