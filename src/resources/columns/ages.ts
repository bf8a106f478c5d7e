import { humanDuration } from '../../meta/human-duration.ts';
import type { ResourceObject } from '../../meta/object.ts';

/** Formats the time that has passed since `time`. */
export function since(time: string | null | undefined, now: number): string {
  return time ? humanDuration(now - Date.parse(time)) : '<unknown>';
}

export function age({ metadata }: ResourceObject, now: number): string {
  return since(metadata.creationTimestamp, now);
}
