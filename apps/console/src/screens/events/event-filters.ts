//! The filters of events, for the live tail and the log.
import { AGGREGATE_TYPES } from '@holdfast/contract/enums';
import { EVENT_AGGREGATES, type EventType } from '@holdfast/sdk';
import type { Filter } from '#parts/table/filter-bar.tsx';

const TYPES = Object.keys(EVENT_AGGREGATES) as readonly EventType[];
const asIs = (word: string) => word;

const EITHER = [
  { name: 'type', label: 'Type', choices: TYPES, words: asIs },
  { name: 'resource', label: 'Record type', choices: AGGREGATE_TYPES, words: asIs },
] as const satisfies readonly Filter[];

export const LIVE_FILTERS = [
  ...EITHER,
  { name: 'about', label: 'Record ID', placeholder: 'Any ID' },
] as const satisfies readonly Filter[];

export const LOG_FILTERS = [
  ...EITHER,
  { name: 'since', label: 'From date (UTC, default today)', type: 'date' },
] as const satisfies readonly Filter[];
