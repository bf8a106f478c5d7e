import { conditionTexts } from './condition-texts.ts';
import type { TypeTexts } from './type-texts.ts';

export const batchV1: TypeTexts = {
  CronJob: {
    '': 'Starts jobs on a schedule.',
    spec: 'When which job is started.',
    status: 'What was started last.',
  },
  CronJobSpec: {
    '': 'When a job is started, and which.',
    schedule:
      'The times in cron form: minute, hour, day of month, month, day of week. Also `@hourly`, `@daily` and the like.',
    timeZone: 'Time zone of the schedule, such as `Europe/Berlin`. Default: that of the controller.',
    startingDeadlineSeconds:
      'Seconds after its time within which a missed job may still be started. Default: no deadline.',
    concurrencyPolicy:
      'What happens if the last job still runs: Allow starts another, Forbid skips, Replace stops the old one. ' +
      'Default Allow.',
    suspend: 'Start no more jobs. Running ones go on. Default false.',
    jobTemplate: 'Template for the jobs.',
    successfulJobsHistoryLimit: 'How many finished jobs that succeeded are kept. Default 3.',
    failedJobsHistoryLimit: 'How many finished jobs that failed are kept. Default 1.',
  },
  CronJobStatus: {
    '': 'What a CronJob has started.',
    active: 'Jobs that are running.',
    lastScheduleTime: 'When a job was last started.',
    lastSuccessfulTime: 'When a job last succeeded.',
  },
  Job: {
    '': 'Runs pods until enough of them have succeeded.',
    spec: 'Which pods, how many, and what happens on failure.',
    status: 'Progress of the job.',
  },
  JobCondition: {
    '': 'One aspect of the state of a job.',
    type: 'Name of the condition: Complete, Failed, Suspended, FailureTarget or SuccessCriteriaMet.',
    ...conditionTexts,
    lastProbeTime: 'When the condition was last checked.',
  },
  JobSpec: {
    '': 'The pods of a job, and when it is done.',
    parallelism: 'How many pods may run at a time. Default 1. Zero halts the job.',
    completions: 'How many pods must succeed. Absent: one success is enough, and with it no more pods are started.',
    activeDeadlineSeconds:
      'Seconds after which the job is stopped and failed, whatever its state. Does not count while it is suspended.',
    podFailurePolicy:
      'Which failures of pods end the job, are ignored or are counted. Needs restart policy Never in the template.',
    successPolicy: 'When a job with indexes has succeeded although not all indexes have.',
    backoffLimit:
      'How many failures of pods are tolerated before the job has failed. Default 6, or without limit if ' +
      '`backoffLimitPerIndex` is set.',
    backoffLimitPerIndex:
      'How many failures are tolerated for each index. Only with completion mode Indexed and restart policy Never.',
    maxFailedIndexes: 'How many indexes may fail before the whole job has failed. Only with `backoffLimitPerIndex`.',
    selector: 'Selects the pods of the job. Set by the server unless `manualSelector` is true.',
    manualSelector:
      'True lets you choose selector and labels, which must then not match pods of others. Default false.',
    template: 'Template for the pods. Restart policy must be Never or OnFailure.',
    ttlSecondsAfterFinished: 'Seconds after which the finished job is deleted. Zero: at once. Absent: never.',
    completionMode:
      'NonIndexed treats all pods alike. Indexed gives each an index from 0 to `completions` - 1, and each must ' +
      'succeed. Default NonIndexed.',
    suspend: 'Run no pods for now; running ones are stopped. Restarting it resets the deadline. Default false.',
    podReplacementPolicy:
      'When a pod is replaced: TerminatingOrFailed (as soon as it is being deleted or has failed) or Failed (once it ' +
      'has stopped). Default Failed with a `podFailurePolicy`, else TerminatingOrFailed.',
    managedBy:
      'Who manages the job. Another value than `kubernetes.io/job-controller` makes the built-in controller leave it ' +
      'alone. It cannot be changed.',
  },
  JobStatus: {
    '': 'Progress of a job.',
    conditions: 'Conditions that describe the state. A job is finished when Complete or Failed is true.',
    startTime: 'When the job was started, or resumed after a suspension.',
    completionTime: 'When the job succeeded. Absent if it failed.',
    active: 'Number of pods that wait or run and are not being deleted.',
    succeeded: 'Number of pods that succeeded.',
    failed: 'Number of pods that failed.',
    terminating: 'Number of pods that are being deleted but have not stopped yet.',
    completedIndexes: 'Indexes that have succeeded, as ranges such as `1,3-5,7`.',
    failedIndexes: 'Indexes that have failed, as ranges. Only with `backoffLimitPerIndex`.',
    uncountedTerminatedPods: 'Pods that have ended but are not counted yet.',
    ready: 'Number of active pods that are ready.',
  },
  JobTemplateSpec: {
    '': 'Template for the jobs of a CronJob.',
    metadata: 'Labels and annotations of the jobs.',
    spec: 'The spec of the jobs.',
  },
  PodFailurePolicy: {
    '': 'How failures of pods are handled.',
    rules:
      'Evaluated in order; the first that matches decides. If none does, the failure counts towards `backoffLimit`. ' +
      'At most 20.',
  },
  PodFailurePolicyOnExitCodesRequirement: {
    '': 'Matches pods by the exit codes of their containers.',
    containerName: 'The container. Default: any.',
    operator: 'In matches the listed codes, NotIn all others except zero.',
    values: 'The codes, sorted and unique. At most 255. Zero is not allowed for In.',
  },
  PodFailurePolicyOnPodConditionsPattern: {
    '': 'Matches pods by a condition.',
    type: 'Type of the condition, such as DisruptionTarget.',
    status: 'Status of the condition. Default True.',
  },
  PodFailurePolicyRule: {
    '': 'What a certain failure of a pod means. Exactly one of the two requirements is set.',
    action: 'FailJob ends the job, FailIndex fails the index, Ignore does not count the failure, Count counts it.',
    onExitCodes: 'Matches by exit codes.',
    onPodConditions: 'Matches by conditions of the pod. One match is enough. At most 20.',
  },
  SuccessPolicy: {
    '': 'When a job with indexes has succeeded early.',
    rules: 'Evaluated in order; one that is met is enough. The remaining pods are then stopped. At most 20.',
  },
  SuccessPolicyRule: {
    '': 'A set of indexes that must succeed. At least one field is set.',
    succeededIndexes: 'The indexes, as ranges such as `0,2-4`.',
    succeededCount: 'How many must have succeeded, of the listed indexes or of all.',
  },
  UncountedTerminatedPods: {
    '': 'UIDs of pods that have ended but are not counted yet.',
    succeeded: 'Pods that succeeded.',
    failed: 'Pods that failed.',
  },
};
