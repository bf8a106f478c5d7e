import { expect, it } from 'vitest';
import { InMemoryExchange } from '../http/discovery/in-memory-exchange.ts';
import { ObjectFormats } from '../http/object-formats.ts';
import { RequestContext } from '../http/request-context.ts';
import { requestInfo } from '../http/request-info.ts';
import type { Family, Instrument, Meter } from '../meta/meter.ts';
import { FlowControl } from './flow-control.ts';
import { flowControlFilter } from './flow-control-filter.ts';
import { suggestedObjects } from './objects/default-objects.ts';
import { RunningRequests } from './running-requests.ts';

/** Keeps each number under the name and the label values of its series: a sum, or the last value that was set. */
function keepingMeter() {
  const numbers = new Map<string, number>();
  const readers: (() => unknown)[] = [];
  const family = ({ name }: Instrument): Family<never> => {
    const of = (...values: string[]) => {
      const key = [name.replace('apiserver_flowcontrol_', ''), ...values].join(' ');
      const add = (amount = 1): void => void numbers.set(key, (numbers.get(key) ?? 0) + amount);
      return {
        add,
        observe: (_value: number, times = 1) => add(times),
        set: (value: number) => void numbers.set(key, value),
      } as never;
    };
    return { of, remove: () => {} } as Family<never>;
  };
  const meter = {
    counter: family,
    gauge: family,
    histogram: family,
    beforeReading: (read: () => unknown) => readers.push(read),
  };
  const read = (): Record<string, number> => {
    for (const reader of readers) reader();
    return Object.fromEntries(numbers);
  };
  return { meter: meter as unknown as Meter, read };
}

function contextOf(name: string): RequestContext {
  const exchange = new InMemoryExchange('/api/v1/nodes');
  const made = new RequestContext(exchange, requestInfo('GET', exchange.path, ''), new ObjectFormats(['json']));
  made.user = { name, uid: '', groups: ['system:authenticated'], extra: {} };
  return made;
}

it('reports those that wait, and how long they have waited', async () => {
  const { meter, read } = keepingMeter();
  let now = 0;
  const control = new FlowControl({ seats: 1, meter, now: () => now });
  for (const level of suggestedObjects.levels) control.putLevel(level);
  for (const schema of suggestedObjects.schemas) control.putSchema(schema);
  const filter = flowControlFilter({
    control,
    running: new RunningRequests(),
    requestTimeoutMs: 1000,
    findLoad: () => undefined,
  });
  const first = Promise.withResolvers<void>();
  const results = [filter(contextOf('jane'), () => first.promise), filter(contextOf('jane'), () => {})];
  const schema = 'global-default global-default';
  expect(read()).toMatchObject({
    [`current_inqueue_requests ${schema}`]: 1,
    'current_inqueue_seats global-default': 1,
    [`request_queue_length_after_enqueue ${schema}`]: 1,
    'apiserver_current_inqueue_requests readOnly': 1,
    'apiserver_current_inqueue_requests mutating': 0,
  });
  now = 2;
  first.resolve();
  await Promise.all(results);
  expect(read()).toMatchObject({
    [`current_inqueue_requests ${schema}`]: 0,
    'current_inqueue_seats global-default': 0,
    [`request_wait_duration_seconds ${schema} true`]: 1,
    [`dispatched_requests_total ${schema}`]: 2,
  });
});

it('reports what becomes of requests, by level and schema, and the seats of levels', async () => {
  const { meter, read } = keepingMeter();
  let now = 0;
  const control = new FlowControl({ seats: 1, meter, now: () => now++ });
  const filter = flowControlFilter({
    control,
    running: new RunningRequests(),
    requestTimeoutMs: 1000,
    findLoad: () => undefined,
  });
  const context = (): RequestContext => contextOf('jane');
  for (let times = 0; times < 3; times++) void filter(context(), () => {});
  expect(read()).toMatchObject({
    'dispatched_requests_total catch-all catch-all': 3,
    'work_estimated_seats catch-all catch-all': 3,
    'request_execution_seconds catch-all catch-all regular': 3,
  });
  const open = Promise.withResolvers<void>();
  const running = filter(context(), () => open.promise);
  await filter(context(), () => expect.unreachable());
  expect(read()).toMatchObject({
    'dispatched_requests_total catch-all catch-all': 4,
    'rejected_requests_total catch-all catch-all concurrency-limit': 1,
    'current_executing_requests catch-all catch-all': 1,
    'current_executing_seats catch-all': 1,
    'nominal_limit_seats catch-all': 1,
    'current_limit_seats catch-all': 1,
    'work_estimated_seats catch-all catch-all': 5,
  });
  open.resolve();
  await running;
  expect(read()).toMatchObject({
    'current_executing_requests catch-all catch-all': 0,
    'current_executing_seats catch-all': 0,
    'request_execution_seconds catch-all catch-all regular': 4,
  });
});
