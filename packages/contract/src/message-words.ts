//! Words in the messages of errors.

/** `webhookEndpoint` and `WebhookEndpoint` are both "Webhook endpoint". */
export function nounOf(resource: string): string {
  const words = resource.replace(/(?<=[a-z])[A-Z]/g, ' $&').toLowerCase();
  return `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`.replace(/^Api\b/, 'API');
}

export function anyOf(names: readonly string[]): string {
  return [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' or ');
}
