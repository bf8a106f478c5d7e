import { describe, expect, it } from 'vitest';
import { fieldErrorText } from '../../meta/field-error.ts';
import { validateJobStatus } from './job-status-validation.ts';
import type { JobSpec, JobStatus } from './job-types.ts';

const started = '2025-01-01T00:00:00Z';
const ended = '2025-01-01T01:00:00Z';
const conditions = (...types: string[]) => types.map((type) => ({ type, status: 'True' }));
const complete: JobStatus = {
  startTime: started,
  completionTime: ended,
  succeeded: 1,
  conditions: conditions('SuccessCriteriaMet', 'Complete'),
};

function errorsOf(status: JobStatus, previous: JobStatus = {}, spec: JobSpec = { completions: 3 }): string[] {
  const metadata = { name: 'j' };
  return validateJobStatus({ metadata, spec, status }, { metadata, spec, status: previous }).map(fieldErrorText);
}

describe('validateJobStatus', () => {
  it.each<[string, JobStatus, JobStatus?]>([
    ['progress', { startTime: started, active: 2, ready: 1, succeeded: 1 }, { startTime: started, active: 1 }],
    ['completion', complete, { startTime: started, active: 1 }],
    ['failure', { startTime: started, failed: 2, conditions: conditions('FailureTarget', 'Failed') }],
    [
      'what was wrong before',
      { active: 1, conditions: conditions('Failed') },
      { active: 1, conditions: conditions('Failed') },
    ],
  ])('accepts %s', (_what, status, previous) => {
    expect(errorsOf(status, previous)).toEqual([]);
  });

  it.each<[JobStatus, JobStatus, string[]]>([
    [
      { ...complete, conditions: conditions('Complete', 'Failed', 'FailureTarget', 'SuccessCriteriaMet') },
      {},
      [
        'status.conditions: Invalid value: cannot set Complete=True and Failed=true conditions',
        'status.conditions: Invalid value: cannot set Complete=True and FailureTarget=true conditions',
        'status.conditions: Invalid value: cannot set SuccessCriteriaMet=True and Failed=true conditions',
        'status.conditions: Invalid value: cannot set SuccessCriteriaMet=True and FailureTarget=true conditions',
      ],
    ],
    [
      { ...complete, startTime: ended, completionTime: started },
      {},
      [`status.completionTime: Invalid value: "${started}": must be equal to or after \`startTime\``],
    ],
    [
      { completionTime: ended, conditions: conditions('Failed'), active: 1, terminating: 1 },
      {},
      [
        `status.completionTime: Invalid value: "${ended}": cannot set completionTime when there is no Complete=True condition`,
        'status.conditions: Invalid value: cannot set Failed=True condition without the FailureTarget=true condition',
        'status.active: Invalid value: 1: active>0 is invalid for finished job',
        'status.startTime: Required value: startTime is required for finished job',
        'status.terminating: Invalid value: 1: terminating>0 is invalid for finished job',
      ],
    ],
    [
      { uncountedTerminatedPods: { succeeded: ['a', ''], failed: ['a'] } },
      {},
      [
        'status.uncountedTerminatedPods.succeeded[1]: Invalid value: "": must not be empty',
        'status.uncountedTerminatedPods.failed[0]: Duplicate value: "a"',
      ],
    ],
    [
      { completedIndexes: '0,7', failedIndexes: '0' },
      {},
      [
        'status.completedIndexes: Invalid value: "0,7": error parsing completedIndexes: too large index: "7"',
        'status.completedIndexes: Invalid value: "0,7": cannot set non-empty completedIndexes when non-indexed completion mode',
        'status.failedIndexes: Invalid value: "0": cannot set non-null failedIndexes when backoffLimitPerIndex is null',
        'status.failedIndexes: Invalid value: "0": failedIndexes and completedIndexes overlap at index: 0',
      ],
    ],
    [
      { startTime: ended },
      { startTime: started, failed: 1, conditions: conditions('FailureTarget') },
      [
        'status.conditions: Invalid value: cannot disable the terminal FailureTarget=True condition',
        'status.failed: Invalid value: 0: cannot decrease the failed counter',
        `status.startTime: Invalid value: "${ended}": field is immutable for unsuspended job once set`,
      ],
    ],
  ])('refuses %j after %j', (status, previous, errors) => {
    expect(errorsOf(status, previous)).toEqual(errors);
  });

  it('accepts a lower succeeded count of an elastic job', () => {
    const spec = { completionMode: 'Indexed', completions: 2, parallelism: 2 };
    expect(errorsOf({ succeeded: 1 }, { succeeded: 2 }, spec)).toEqual([]);
    expect(errorsOf({ succeeded: 1 }, { succeeded: 2 }, { ...spec, parallelism: 1 })).toEqual([
      'status.succeeded: Invalid value: 1: cannot decrease the succeeded counter',
    ]);
  });
});
