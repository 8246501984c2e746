//! What `explain` tells: what the thing is, how it stands, and all that happened to it.
import type { Field } from '../terminal/table.ts';
import type { Names, StoryItem } from '../terminal/timeline.ts';

export interface Story {
  readonly kind: string;
  readonly id: string;
  readonly status?: string;
  /** The record as the API has it. */
  readonly record: unknown;
  readonly fields: readonly Field[];
  /** Oldest first. */
  readonly items: readonly StoryItem[];
  /** What is called otherwise than by its id. */
  readonly names?: Names;
  /** What can be done or looked at next. */
  readonly next?: string;
}
