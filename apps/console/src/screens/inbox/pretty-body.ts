//! The body of a notice for reading: indented where it is JSON, and as it came where it is not.

export function prettyBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
