import { type FieldError, invalidValue } from '../../meta/field-error.ts';
import { type Integer, validateNonNegative } from '../validation/numbers.ts';
import type { WorkloadStatus } from './workload-shapes.ts';

export function validateCounters(status: WorkloadStatus, counters: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  for (const counter of counters) {
    errors.push(...validateNonNegative(status[counter] as Integer | undefined, `status.${counter}`));
  }
  return errors;
}

/** `parts` are counted among the replicas; `ready` is how messages name the replicas that are ready. */
export function validateReplicaParts(
  status: WorkloadStatus,
  { parts, ready }: { parts: readonly string[]; ready: string },
): FieldError[] {
  const { replicas = 0, readyReplicas = 0, availableReplicas = 0 } = status;
  const errors: FieldError[] = [];
  for (const part of parts) {
    const count = (status[part] ?? 0) as number;
    if (count > replicas) errors.push(invalidValue(`status.${part}`, count, 'cannot be greater than status.replicas'));
  }
  if (availableReplicas > readyReplicas) {
    errors.push(invalidValue('status.availableReplicas', availableReplicas, `cannot be greater than ${ready}`));
  }
  return errors;
}

/** It makes names unique, so a name that was given must not come again. */
export function validateCollisionCount(next: WorkloadStatus, stored: WorkloadStatus): FieldError[] {
  if (stored.collisionCount === undefined) return [];
  const count = next.collisionCount ?? 0;
  const decremented = next.collisionCount === undefined || count < stored.collisionCount;
  return decremented ? [invalidValue('status.collisionCount', count, 'cannot be decremented')] : [];
}
