import { describe, expect, it } from 'vitest';
import { requestInfo } from '../http/request-info.ts';
import type { UserInfo } from '../meta/user.ts';
import type { PriorityLevelConfiguration } from '../resources/flowcontrol/priority-level-types.ts';
import { FlowControl } from './flow-control.ts';
import { mandatoryObjects, suggestedObjects } from './objects/default-objects.ts';
import { FairRequest } from './queues/fair-request.ts';
import { Flow } from './queues/flow.ts';

const jane: UserInfo = { name: 'jane', uid: '', groups: ['system:authenticated'], extra: {} };
const pods = requestInfo('GET', '/api/v1/namespaces/a/pods', '');

function byDefault(seats = 600) {
  let now = 0;
  const control = new FlowControl({ seats, now: () => now });
  for (const level of [...mandatoryObjects.levels, ...suggestedObjects.levels]) control.putLevel(level);
  for (const schema of [...mandatoryObjects.schemas, ...suggestedObjects.schemas]) control.putSchema(schema);
  const pass = (ms: number): void => {
    now += ms;
  };
  const seatsOf = (): Record<string, number> =>
    Object.fromEntries(control.levels.filter(({ isExempt }) => !isExempt).map(({ name, seats: now }) => [name, now]));
  return { control, pass, seatsOf };
}

const level = (name: string, limited: object): PriorityLevelConfiguration => ({
  metadata: { name },
  spec: { type: 'Limited', limited },
});

const reject = { limitResponse: { type: 'Reject' } };

describe('flow control', () => {
  it('has the mandatory levels and schemas without any object', () => {
    const control = new FlowControl({ seats: 10 });
    expect(control.levels.map(({ name, seats }) => `${name} ${seats}`)).toEqual(['catch-all 10', 'exempt 0']);
    expect(control.classify(jane, pods).name).toBe('catch-all');
    const admin = { ...jane, groups: ['system:masters'] };
    expect(control.classify(admin, pods).level.isExempt).toBe(true);
    expect([control.hasLevel('exempt'), control.hasLevel('system')]).toEqual([true, false]);
  });

  it('divides the seats by default as Kubernetes does', () => {
    expect(byDefault().seatsOf()).toEqual({
      'catch-all': 13,
      'global-default': 49,
      'leader-election': 25,
      'node-high': 98,
      system: 74,
      'workload-high': 98,
      'workload-low': 245,
    });
  });

  it('ignores a schema without its level, and uses it when the level exists', () => {
    const { control } = byDefault();
    const everything = suggestedObjects.schemas.find(({ metadata }) => metadata.name === 'global-default')!.spec!;
    const spec = { ...everything, priorityLevelConfiguration: { name: 'own' }, matchingPrecedence: 10 };
    control.putSchema({ metadata: { name: 'own' }, spec });
    expect(control.classify(jane, pods).name).toBe('global-default');
    control.putLevel(level('own', { nominalConcurrencyShares: 10, ...reject }));
    expect(control.classify(jane, pods).name).toBe('own');
    control.removeLevel('own');
    expect(control.classify(jane, pods).name).toBe('global-default');
    control.removeSchema('own');
    expect(control.levels.some(({ name }) => name === 'own')).toBe(false);
  });

  it('keeps a level that was deleted until its last request ends', () => {
    const { control } = byDefault();
    control.putLevel(level('own', { nominalConcurrencyShares: 10, ...reject }));
    const own = control.levels.find(({ name }) => name === 'own')!;
    const request = new FairRequest({ flow: new Flow('s', ''), seats: 1 });
    expect(own.queues.arrive(request)).toBe('started');
    control.removeLevel('own');
    expect(control.levels.find(({ name }) => name === 'own')?.isQuiescing).toBe(true);
    own.queues.finish(request);
    control.adjust();
    expect(control.levels.some(({ name }) => name === 'own')).toBe(false);
  });

  it('lends seats to a level that needs them and takes them back when they are needed', () => {
    const { control, pass, seatsOf } = byDefault();
    const [low, global] = ['workload-low', 'global-default'].map(
      (name) => control.levels.find((other) => other.name === name)!,
    );
    const load = (queues: NonNullable<typeof low>['queues'], count: number): FairRequest[] => {
      const requests = Array.from(
        { length: count },
        (_, user) => new FairRequest({ flow: new Flow('s', `user ${user}`), seats: 1 }),
      );
      for (const request of requests) queues.arrive(request);
      return requests;
    };
    load(global!.queues, 400);
    expect(global!.queues.executing).toBe(49);
    pass(10_000);
    control.adjust();
    expect(global!.queues.executing).toBeGreaterThan(300);
    expect(seatsOf()['leader-election']).toBe(25);
    // The seats that are lent to others, without those that a level keeps.
    expect(seatsOf()['workload-low']).toBeLessThan(60);
    load(low!.queues, 245);
    pass(10_000);
    control.adjust();
    expect(seatsOf()['workload-low']).toBe(245);
    const sum = Object.values(seatsOf()).reduce((total, seats) => total + seats, 0);
    expect(Math.abs(sum - 602)).toBeLessThan(5);
  });

  it('gives no seats to a level that has none and may not borrow', () => {
    const { control, pass, seatsOf } = byDefault();
    control.putLevel(level('jail', { nominalConcurrencyShares: 0, borrowingLimitPercent: 0, ...reject }));
    expect(seatsOf().jail).toBe(0);
    pass(10_000);
    control.adjust();
    expect(seatsOf().jail).toBe(0);
  });
});
