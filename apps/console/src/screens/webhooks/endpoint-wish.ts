//! An endpoint as somebody wants it: what is missing, what changes, and what the change does.
import type { UpdateWebhookEndpointInput, WebhookEndpoint } from '@holdfast/sdk';

export interface EndpointWish {
  readonly url: string;
  readonly types: readonly string[];
  /** Empty for none. */
  readonly description: string;
}

type Present = Pick<WebhookEndpoint, 'url' | 'types' | 'description'>;

export function missingOf({ url, types }: EndpointWish): string | undefined {
  if (!URL.canParse(url)) return 'Give an address';
  return types.length === 0 ? 'Choose what to send' : undefined;
}

/** Only what is to change: the rest stays as it is by then. */
export function changesOf(present: Present, wish: EndpointWish): UpdateWebhookEndpointInput {
  const { url, types, description } = wish;
  return {
    ...(url !== present.url && { url }),
    ...(!isSame(types, present.types) && {
      types: types as NonNullable<UpdateWebhookEndpointInput['types']>,
    }),
    ...(description !== (present.description ?? '') && {
      description: description === '' ? null : description,
    }),
  };
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one) => others.includes(one));
}

export function typesText(types: readonly string[]): string {
  return types.includes('*') ? 'every event' : types.join(', ');
}

/** What changing it does, one sentence after the other. */
export function changeLines(present: Present, changes: UpdateWebhookEndpointInput): string[] {
  const { url, types, description } = changes;
  return [
    ...(url === undefined
      ? []
      : [`Sends to ${url} instead of ${present.url} at once, what waits included.`]),
    ...(types === undefined
      ? []
      : [
          `Sends ${typesText(types)} instead of ${typesText(present.types)}.`,
          'What it has passed by before is not sent later.',
        ]),
    ...(description === undefined ? [] : ['Changes its description.']),
    'Its signing secret stays the same.',
  ];
}
