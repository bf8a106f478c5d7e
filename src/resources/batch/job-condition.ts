import type { JobStatus } from './job-types.ts';

export type JobConditionType = 'Complete' | 'Failed' | 'FailureTarget' | 'SuccessCriteriaMet' | 'Suspended';

export function isConditionTrue({ conditions = [] }: JobStatus, wanted: JobConditionType): boolean {
  return conditions.some(({ type, status }) => type === wanted && status === 'True');
}

export function isFinished(status: JobStatus): boolean {
  return isConditionTrue(status, 'Complete') || isConditionTrue(status, 'Failed');
}
