import { since } from '../../meta/human-duration.ts';
import type { ResourceObject } from '../../meta/object.ts';

export function age({ metadata }: ResourceObject, now: number): string {
  return since(metadata.creationTimestamp, now);
}
