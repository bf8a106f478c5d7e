import { describe, expect, it } from 'vitest';
import { podColumns } from './pod.ts';

const now = Date.parse('2030-01-02T00:00:00Z');
const waiting = (reason?: string) => ({ waiting: { ...(reason && { reason }) } });
const terminated = (state: object) => ({ terminated: state });
const running = { running: {} };
const ready = { ready: true, state: running };
const condition = (type: string, status = 'True') => ({ type, status });

interface Case {
  readonly name: string;
  readonly spec?: object;
  readonly status?: object;
  readonly deletionTimestamp?: string;
  /** Ready, status, restarts. */
  readonly shown: readonly [string, string, string];
}

const two = { containers: [{ name: 'a' }, { name: 'b' }] };
const initialized = { ...two, initContainers: [{ name: 'x' }, { name: 'y' }] };
const sidecar = { ...two, initContainers: [{ name: 'x' }, { name: 's', restartPolicy: 'Always' }] };
const deletionTimestamp = '2030-01-01T23:59:59Z';

const cases: Case[] = [
  { name: 'nothing but a phase', status: { phase: 'Pending' }, shown: ['0/2', 'Pending', '0'] },
  { name: 'a reason', status: { phase: 'Failed', reason: 'Evicted' }, shown: ['0/2', 'Evicted', '0'] },
  {
    name: 'a scheduling gate',
    status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', reason: 'SchedulingGated', status: 'False' }] },
    shown: ['0/2', 'SchedulingGated', '0'],
  },
  {
    name: 'running containers',
    status: { phase: 'Running', containerStatuses: [ready, { ...ready, restartCount: 3 }] },
    shown: ['2/2', 'Running', '3'],
  },
  {
    name: 'the last restart',
    status: {
      phase: 'Running',
      containerStatuses: [
        { ...ready, restartCount: 1, lastState: terminated({ finishedAt: '2030-01-01T23:55:00Z' }) },
        { ...ready, restartCount: 2, lastState: terminated({ finishedAt: '2030-01-01T20:00:00Z' }) },
      ],
    },
    shown: ['2/2', 'Running', '3 (5m ago)'],
  },
  {
    name: 'a waiting container, of which the first has the last word',
    status: { phase: 'Pending', containerStatuses: [{ state: waiting('ErrImagePull') }, { state: waiting('Other') }] },
    shown: ['0/2', 'ErrImagePull', '0'],
  },
  {
    name: 'a waiting container without a reason',
    status: { phase: 'Pending', containerStatuses: [{ state: waiting() }] },
    shown: ['0/2', 'Pending', '0'],
  },
  {
    name: 'a terminated container',
    status: { phase: 'Failed', containerStatuses: [{ state: terminated({ reason: 'OOMKilled', exitCode: 137 }) }] },
    shown: ['0/2', 'OOMKilled', '0'],
  },
  {
    name: 'a signal',
    status: { phase: 'Failed', containerStatuses: [{ state: terminated({ signal: 9, exitCode: 137 }) }] },
    shown: ['0/2', 'Signal:9', '0'],
  },
  {
    name: 'an exit code',
    status: { phase: 'Failed', containerStatuses: [{ state: terminated({}) }] },
    shown: ['0/2', 'ExitCode:0', '0'],
  },
  {
    name: 'a completed container beside a running one of a pod that is ready',
    status: {
      phase: 'Running',
      conditions: [condition('Ready')],
      containerStatuses: [{ state: terminated({ reason: 'Completed' }) }, ready],
    },
    shown: ['1/2', 'Running', '0'],
  },
  {
    name: 'a completed container beside a running one of a pod that is not',
    status: { phase: 'Running', containerStatuses: [{ state: terminated({ reason: 'Completed' }) }, ready] },
    shown: ['1/2', 'NotReady', '0'],
  },
  {
    name: 'the first init container at work',
    spec: initialized,
    status: { phase: 'Pending', initContainerStatuses: [{ name: 'x', state: running, restartCount: 2 }] },
    shown: ['0/2', 'Init:0/2', '2'],
  },
  {
    name: 'the second init container, which only waits',
    spec: initialized,
    status: {
      phase: 'Pending',
      initContainerStatuses: [{ state: terminated({}) }, { state: waiting('PodInitializing') }],
    },
    shown: ['0/2', 'Init:1/2', '0'],
  },
  {
    name: 'an init container that cannot begin',
    spec: initialized,
    status: { phase: 'Pending', initContainerStatuses: [{ state: waiting('CrashLoopBackOff') }, { state: running }] },
    shown: ['0/2', 'Init:CrashLoopBackOff', '0'],
  },
  {
    name: 'an init container that failed for a reason',
    spec: initialized,
    status: { phase: 'Pending', initContainerStatuses: [{ state: terminated({ exitCode: 1, reason: 'Error' }) }] },
    shown: ['0/2', 'Init:Error', '0'],
  },
  {
    name: 'an init container that was killed',
    spec: initialized,
    status: { phase: 'Pending', initContainerStatuses: [{ state: terminated({ exitCode: 137, signal: 9 }) }] },
    shown: ['0/2', 'Init:Signal:9', '0'],
  },
  {
    name: 'an init container that failed',
    spec: initialized,
    status: { phase: 'Pending', initContainerStatuses: [{ state: terminated({ exitCode: 3 }) }] },
    shown: ['0/2', 'Init:ExitCode:3', '0'],
  },
  {
    name: 'init containers that are done: their restarts count no more',
    spec: initialized,
    status: {
      phase: 'Running',
      initContainerStatuses: [{ state: terminated({}), restartCount: 5 }],
      containerStatuses: [{ ...ready, restartCount: 1 }],
    },
    shown: ['1/2', 'Running', '1'],
  },
  {
    name: 'a sidecar, which counts like a container',
    spec: sidecar,
    status: {
      phase: 'Running',
      initContainerStatuses: [
        { name: 'x', state: terminated({}), restartCount: 5 },
        {
          name: 's',
          ...ready,
          started: true,
          restartCount: 2,
          lastState: terminated({ finishedAt: '2030-01-01T23:59:00Z' }),
        },
      ],
      containerStatuses: [ready, ready],
    },
    shown: ['3/3', 'Running', '2 (60s ago)'],
  },
  {
    name: 'a sidecar that has not started',
    spec: sidecar,
    status: {
      phase: 'Pending',
      initContainerStatuses: [
        { name: 'x', state: terminated({}) },
        { name: 's', state: running, started: false },
      ],
    },
    shown: ['0/3', 'Init:1/2', '0'],
  },
  {
    name: 'an init container that begins again in an initialized pod',
    spec: initialized,
    status: {
      phase: 'Running',
      conditions: [condition('Initialized')],
      initContainerStatuses: [{ state: running }],
      containerStatuses: [ready, { state: waiting('CrashLoopBackOff') }],
    },
    shown: ['1/2', 'CrashLoopBackOff', '0'],
  },
  { name: 'a deletion', status: { phase: 'Running' }, deletionTimestamp, shown: ['0/2', 'Terminating', '0'] },
  { name: 'a deletion after the end', status: { phase: 'Failed' }, deletionTimestamp, shown: ['0/2', 'Failed', '0'] },
  {
    name: 'a deletion on a node that is lost',
    status: { phase: 'Running', reason: 'NodeLost' },
    deletionTimestamp,
    shown: ['0/2', 'Unknown', '0'],
  },
  { name: 'nothing at all', spec: {}, shown: ['0/0', '', '0'] },
];

describe('a pod', () => {
  it.each(cases)('shows $name', ({ spec = two, status, deletionTimestamp, shown }) => {
    const metadata = {
      name: 'p',
      creationTimestamp: '2030-01-01T00:00:00Z',
      ...(deletionTimestamp && { deletionTimestamp }),
    };
    const cells = podColumns.cells({ metadata, spec, ...(status && { status }) }, now);
    expect(cells.slice(0, 5)).toEqual(['p', ...shown, '24h']);
  });

  it('shows its addresses and nodes', () => {
    const spec = { nodeName: 'n', readinessGates: [{ conditionType: 'a' }, { conditionType: 'b' }] };
    const status = {
      podIPs: [{ ip: '192.0.2.1' }, { ip: '2001:db8::1' }],
      nominatedNodeName: 'm',
      conditions: [condition('a'), condition('b', 'False')],
    };
    expect(podColumns.cells({ metadata: {}, spec, status }, now).slice(4)).toEqual([
      '<unknown>',
      '192.0.2.1',
      'n',
      'm',
      '1/2',
    ]);
    expect(podColumns.cells({ metadata: {} }, now).slice(5)).toEqual(['<none>', '<none>', '<none>', '<none>']);
  });

  it.each([
    ['Succeeded', 'The pod has completed successfully.'],
    ['Failed', 'The pod failed.'],
  ])('has a row condition when it has ended: %s', (phase, message) => {
    const conditions = podColumns.conditions!({ metadata: {}, status: { phase } });
    expect(conditions).toEqual([{ type: 'Completed', status: 'True', reason: phase, message }]);
    expect(podColumns.conditions!({ metadata: {}, status: { phase: 'Running' } })).toBeUndefined();
  });
});
