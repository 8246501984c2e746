//! Formats the body of a notification: indented where it is JSON, unchanged where it is not.

export function prettyBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
