import { type FieldError, invalidValue } from '../../meta/field-error.ts';
import { type Integer, validateNonNegative } from '../validation/numbers.ts';
import type { WorkloadStatus } from './workload.ts';

export function validateCounters(status: WorkloadStatus, counters: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  for (const counter of counters) {
    errors.push(...validateNonNegative(status[counter] as Integer | undefined, `status.${counter}`));
  }
  return errors;
}

/** `subsets` are counters that cannot exceed `replicas`. `ready` is the name of `readyReplicas` in error messages. */
export function validateReplicaSubsets(
  status: WorkloadStatus,
  { subsets, ready }: { subsets: readonly string[]; ready: string },
): FieldError[] {
  const { replicas = 0, readyReplicas = 0, availableReplicas = 0 } = status;
  const errors: FieldError[] = [];
  for (const name of subsets) {
    const count = (status[name] ?? 0) as number;
    if (count > replicas) errors.push(invalidValue(`status.${name}`, count, 'cannot be greater than status.replicas'));
  }
  if (availableReplicas > readyReplicas) {
    errors.push(invalidValue('status.availableReplicas', availableReplicas, `cannot be greater than ${ready}`));
  }
  return errors;
}

/** The count makes names unique. Decrementing it would reuse a name. */
export function validateCollisionCount(next: WorkloadStatus, oldStatus: WorkloadStatus): FieldError[] {
  if (oldStatus.collisionCount === undefined) return [];
  const count = next.collisionCount ?? 0;
  const decremented = next.collisionCount === undefined || count < oldStatus.collisionCount;
  return decremented ? [invalidValue('status.collisionCount', count, 'cannot be decremented')] : [];
}
