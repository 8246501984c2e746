//! Measures how long an event took from its place in the log to a consumer.
import type { Instant } from '@holdfast/kernel/clock';
import type { LabelsOf } from './metric-table.ts';
import { observe } from './metrics.ts';

type Way = LabelsOf<'holdfast_event_delivery_seconds'>['way'];

/** `occurredAt`: the time of the event in the log, as text. */
export function measureDelivery(way: Way, occurredAt: string, now: Instant): void {
  const seconds = Math.max(0, now - Date.parse(occurredAt)) / 1000;
  observe('holdfast_event_delivery_seconds', seconds, { way });
}
