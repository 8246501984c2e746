//! The story of one thing, for people: when, what kind, what, and whose doing.
import type { TimelineItemView } from '@holdfast/contract/order-records';
import type { Style } from './style.ts';
import { clockText, shortText } from './words.ts';

/** A timeline item, or something told in the same form. */
export type StoryItem = Omit<TimelineItemView, 'kind'> & { readonly kind: string };

const KINDS: Readonly<Record<string, { readonly word: string; readonly color: keyof Style }>> = {
  api_call: { word: 'call', color: 'bold' },
  person: { word: 'person', color: 'bold' },
  webhook: { word: 'webhook', color: 'yellow' },
  provider_call: { word: 'provider', color: 'dim' },
  ledger_transaction: { word: 'network', color: 'cyan' },
  posting: { word: 'money', color: 'green' },
  state: { word: 'state', color: 'cyan' },
  event: { word: 'event', color: 'cyan' },
};

const KIND_WIDTH = Math.max(...Object.values(KINDS).map(({ word }) => word.length));

/** Ids that a story has a word for, such as `buyer`. */
export type Names = Readonly<Record<string, string>>;

/** Days as heads, one line for each thing; a cause is told when it changes. */
export function storyLines(items: readonly StoryItem[], style: Style, names: Names = {}): string[] {
  const lines: string[] = [];
  let day = '';
  let cause = '';
  for (const item of items) {
    if (item.at.slice(0, 10) !== day) {
      day = item.at.slice(0, 10);
      if (lines.length > 0) lines.push('');
      lines.push(`  ${style.dim(`${day}, UTC`)}`);
    }
    const why = causeText(item.cause);
    const told = why === cause || why === '' ? '' : `  ${style.dim(`← ${why}`)}`;
    cause = why === '' ? cause : why;
    const more = moreOf(item, names).map((each) => `  ${style.dim(each)}`);
    lines.push(`${lineOf(item, style)}${more.join('')}${told}`);
  }
  return lines;
}

function lineOf({ at, kind, title }: StoryItem, style: Style): string {
  const { word, color } = KINDS[kind] ?? { word: kind, color: 'dim' as const };
  const paint = style[color];
  return `  ${style.dim(clockText(at).padEnd(12))}  ${paint(word.padEnd(KIND_WIDTH))}  ${title}`;
}

/** Who began it: a person or key by a request, the system for an operation, a provider. */
function causeText({ actorId, operationId, requestId, webhookId }: StoryItem['cause']): string {
  return [
    actorId === undefined || actorId === 'system' ? '' : shortText(actorId, 16),
    operationId ?? '',
    webhookId === undefined ? '' : `webhook ${shortText(webhookId, 16)}`,
    requestId === undefined ? '' : `request ${shortText(requestId, 12)}`,
  ]
    .filter((part) => part !== '')
    .join(', ');
}

interface Place {
  readonly kind?: string;
  readonly ownerId?: string | null;
  readonly bucket?: string;
}

/** Where money went, which transaction it was, why a provider refused. */
function moreOf({ detail }: StoryItem, names: Names): string[] {
  const { from, to, hash, code, reason } = detail as {
    readonly from?: Place | string | null;
    readonly to?: Place | string | null;
    readonly hash?: string;
    readonly code?: string;
    readonly reason?: string | null;
  };
  const lines: string[] = [];
  if (isPlace(from) && isPlace(to))
    lines.push(`${placeText(from, names)} → ${placeText(to, names)}`);
  if (typeof hash === 'string') lines.push(hash);
  if (typeof code === 'string') lines.push(`${code}${reason ? `: ${reason}` : ''}`);
  else if (typeof reason === 'string') lines.push(reason);
  return lines;
}

function isPlace(value: Place | string | null | undefined): value is Place {
  return typeof value === 'object' && value !== null && 'kind' in value;
}

/** Money that is set aside is told; what is available is where it usually is. */
function placeText({ kind = '', ownerId, bucket }: Place, names: Names): string {
  const place = ownerId ? (names[ownerId] ?? ownerId) : kind.replaceAll('_', ' ');
  return bucket === undefined || bucket === 'available' ? place : `${place} (${bucket})`;
}
