//! Response view of a timeline item.
import type { TimelineItemView } from '@holdfast/contract/records/order-records';
import { type Instant, instantText } from '@holdfast/kernel/clock';

interface TimelineItem extends Omit<TimelineItemView, 'at'> {
  readonly at: Instant;
}

export function timelineItemView(item: TimelineItem): TimelineItemView {
  const { at, kind, title, detail, cause } = item;
  return { at: instantText(at), kind, title, detail, cause };
}
