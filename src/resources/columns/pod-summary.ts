import type { ContainerStateTerminated, ContainerStatus } from '../core/container-status-types.ts';
import type { Pod } from '../core/pod-types.ts';

/** The state of a pod and its containers as shown in one row. */
export interface PodSummary {
  reason: string;
  ready: number;
  total: number;
  restarts: number;
  /** In milliseconds since the epoch. Undefined if no container reports a restart time. */
  lastRestart: number | undefined;
}

/** The reason is the most specific state: deletion takes precedence over containers, containers over the phase. */
export function podSummary(pod: Pod): PodSummary {
  const { spec, status, metadata } = pod;
  const sidecars = sidecarNames(pod);
  const summary: PodSummary = {
    reason: status?.reason || status?.phase || '',
    ready: 0,
    total: (spec?.containers?.length ?? 0) + sidecars.size,
    restarts: 0,
    lastRestart: undefined,
  };
  if (status?.conditions?.some(({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated')) {
    summary.reason = 'SchedulingGated';
  }
  const sidecarRestarts: Restarts = { restarts: 0, lastRestart: undefined };
  const initializing = addInitContainers(summary, { pod, sidecars, sidecarRestarts });
  if (!initializing || hasCondition(pod, 'Initialized')) {
    Object.assign(summary, sidecarRestarts);
    addContainers(summary, pod);
  }
  if (metadata.deletionTimestamp) {
    if (status?.reason === 'NodeLost') summary.reason = 'Unknown';
    else if (status?.phase !== 'Succeeded' && status?.phase !== 'Failed') summary.reason = 'Terminating';
  }
  return summary;
}

type Restarts = Pick<PodSummary, 'restarts' | 'lastRestart'>;

/** Returns the init containers that keep running beside the regular containers. */
function sidecarNames({ spec }: Pod): Set<string> {
  const names = new Set<string>();
  for (const { name, restartPolicy } of spec?.initContainers ?? []) {
    if (restartPolicy === 'Always') names.add(name ?? '');
  }
  return names;
}

interface InitContext {
  readonly pod: Pod;
  readonly sidecars: ReadonlySet<string>;
  readonly sidecarRestarts: Restarts;
}

/** Returns whether an init container has not completed. */
function addInitContainers(summary: PodSummary, { pod, sidecars, sidecarRestarts }: InitContext): boolean {
  const statuses = pod.status?.initContainerStatuses ?? [];
  for (const [index, status] of statuses.entries()) {
    const isSidecar = sidecars.has(status.name ?? '');
    addRestarts(summary, status);
    if (isSidecar) addRestarts(sidecarRestarts, status);
    const { terminated, waiting } = status.state ?? {};
    if (terminated !== undefined && !terminated.exitCode) continue;
    if (isSidecar && status.started === true) {
      if (status.ready) summary.ready++;
      continue;
    }
    if (terminated !== undefined) summary.reason = `Init:${terminatedReason(terminated)}`;
    else if (waiting?.reason && waiting.reason !== 'PodInitializing') summary.reason = `Init:${waiting.reason}`;
    else summary.reason = `Init:${index}/${pod.spec?.initContainers?.length ?? 0}`;
    return true;
  }
  return false;
}

function addContainers(summary: PodSummary, pod: Pod): void {
  const statuses = pod.status?.containerStatuses ?? [];
  let isRunning = false;
  // In reverse order, so that the reason of the first container wins.
  for (let index = statuses.length - 1; index >= 0; index--) {
    const status = statuses[index]!;
    addRestarts(summary, status);
    const { waiting, terminated, running } = status.state ?? {};
    if (waiting?.reason) summary.reason = waiting.reason;
    else if (terminated !== undefined) summary.reason = terminatedReason(terminated);
    else if (status.ready && running !== undefined) {
      isRunning = true;
      summary.ready++;
    }
  }
  if (summary.reason === 'Completed' && isRunning) {
    summary.reason = hasCondition(pod, 'Ready') ? 'Running' : 'NotReady';
  }
}

function addRestarts(sum: Restarts, { restartCount = 0, lastState }: ContainerStatus): void {
  sum.restarts += restartCount;
  const finishedAt = lastState?.terminated?.finishedAt;
  if (finishedAt) sum.lastRestart = Math.max(sum.lastRestart ?? Number.NEGATIVE_INFINITY, Date.parse(finishedAt));
}

function terminatedReason({ reason, signal, exitCode = 0 }: ContainerStateTerminated): string {
  return reason || (signal ? `Signal:${signal}` : `ExitCode:${exitCode}`);
}

function hasCondition({ status }: Pod, type: string): boolean {
  return status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;
}
