//! The draft of an endpoint: its missing fields, its changes, and the effect of the changes.
import type { UpdateWebhookEndpointInput, WebhookEndpoint } from '@holdfast/sdk';

export interface EndpointDraft {
  readonly url: string;
  readonly types: readonly string[];
  /** Empty for none. */
  readonly description: string;
}

type Present = Pick<WebhookEndpoint, 'url' | 'types' | 'description'>;

export function missingOf({ url, types }: EndpointDraft): string | undefined {
  if (!URL.canParse(url)) return 'Enter a URL';
  return types.length === 0 ? 'Choose an event type' : undefined;
}

/** Only what is to change: the rest stays as it is by then. */
export function changesOf(present: Present, draft: EndpointDraft): UpdateWebhookEndpointInput {
  const { url, types, description } = draft;
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

/** As a cell or a fact; within a sentence, use typesText. */
export function typesTitle(types: readonly string[]): string {
  return types.includes('*') ? 'All events' : typesText(types);
}

export function typesText(types: readonly string[]): string {
  return types.includes('*') ? 'all events' : types.join(', ');
}

/** What changing it does, one sentence after the other. */
export function changeLines(present: Present, changes: UpdateWebhookEndpointInput): string[] {
  const { url, types, description } = changes;
  return [
    ...(url === undefined
      ? []
      : [`Sends all events, including pending ones, to ${url} instead of ${present.url}.`]),
    ...(types === undefined
      ? []
      : [
          `Sends ${typesText(types)} instead of ${typesText(present.types)}.`,
          'Earlier events of newly selected types are not sent.',
        ]),
    ...(description === undefined ? [] : ['Changes the description.']),
    'The signing secret does not change.',
  ];
}
