import { describe, expect, it } from 'vitest';
import { WatchEvent } from '../../registry/index.ts';
import { EventQueue } from './event-queue.ts';

function event(name: string, size = 0): WatchEvent {
  return new WatchEvent('ADDED', Buffer.from(`{"metadata":{"name":"${name}"},"data":"${'x'.repeat(size)}"}\n`));
}

const bookmark = (resourceVersion: string) => ({ kind: 'A', apiVersion: 'v1', metadata: { resourceVersion } });

function open() {
  const stop = new AbortController();
  let ends = 0;
  const queue = new EventQueue({ stop, onEnd: () => ends++ });
  return { queue, stop, ends: () => ends };
}

async function names(queue: EventQueue, count = Infinity): Promise<string[]> {
  const seen: string[] = [];
  for await (const events of queue) {
    for (const { type, object } of events.map((each) => ({ type: each.type, object: each.object('metadata') }))) {
      seen.push(`${type} ${object.metadata.name ?? object.metadata.resourceVersion ?? object.reason}`);
    }
    if (seen.length >= count) break;
  }
  return seen;
}

describe('an event queue', () => {
  it('delivers live events after the backlog and its bookmark', async () => {
    const { queue, ends } = open();
    queue.send(event('early'));
    await queue.writeBacklog([[event('a')], [event('b')]]);
    queue.goLive(bookmark('5'));
    queue.send(event('late'));
    queue.sendBookmark(bookmark('7'));
    queue.end();
    queue.send(event('never'));
    expect(await names(queue)).toEqual(['ADDED a', 'ADDED b', 'BOOKMARK 5', 'ADDED early', 'ADDED late', 'BOOKMARK 7']);
    expect(ends()).toBe(1);
  });

  it('ends a waiting stream with the error', async () => {
    const { queue } = open();
    queue.goLive();
    const seen = names(queue);
    queue.send(event('a'));
    queue.end({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason: 'Expired', code: 410 });
    expect(await seen).toEqual(['ADDED a', 'ERROR Expired']);
  });

  it('drops live events after an incomplete backlog', async () => {
    const { queue } = open();
    await queue.writeBacklog([[event('a')]]);
    queue.send(event('early'));
    queue.end();
    queue.goLive(bookmark('5'));
    expect(await names(queue)).toEqual(['ADDED a']);
  });

  it('ends when the reader stops', async () => {
    const { queue, stop, ends } = open();
    queue.goLive();
    queue.send(event('a'));
    expect(await names(queue, 1)).toEqual(['ADDED a']);
    expect(stop.signal.aborted).toBe(true);
    expect(ends()).toBe(1);
    queue.send(event('b'));
  });

  it('ends at once when it is already aborted', async () => {
    const stop = new AbortController();
    stop.abort();
    let ends = 0;
    const queue = new EventQueue({ stop, onEnd: () => ends++ });
    expect(ends).toBe(1);
    await queue.writeBacklog([[event('a')]]);
    queue.goLive();
    expect(await names(queue)).toEqual([]);
  });

  it('cuts off a reader that does not read', async () => {
    const { queue, ends } = open();
    queue.goLive();
    for (let sent = 0; sent < 17; sent++) queue.send(event('large', 1024 * 1024));
    expect(ends()).toBe(1);
    expect(await names(queue)).toEqual([]);
  });

  it('produces a long backlog as fast as it is read', async () => {
    const { queue, stop } = open();
    let made = 0;
    function* backlog() {
      for (; made < 20; made++) yield Array.from({ length: 600 }, (_, index) => event(`${made}-${index}`));
    }
    const written = queue.writeBacklog(backlog());
    const reader = queue[Symbol.asyncIterator]();
    await reader.next();
    await new Promise((resolve) => setImmediate(resolve));
    expect(made).toBeLessThan(5);
    let count = 1200;
    while (count < 12_000) count += (await reader.next()).value!.length;
    void reader.next();
    await written;
    expect(made).toBe(20);
    stop.abort();
  });
});
