import { describe, expect, it } from 'vitest';
import { WatchEvent } from '../../registry/watch-event.ts';
import { PartialObjectMetadata as schema } from '../../schema/meta-types.ts';
import type { Representation } from '../representations/representation.ts';
import { ObjectEncoding } from '../responses/object-encoding.ts';
import { RepresentedWatchFormat } from './represented-watch-format.ts';

/** Shows only whether an event is marked as the first. */
const representation: Representation = {
  name: 'first or not',
  schemas: { one: schema, list: schema, item: schema },
  one: () => ({}),
  openList: () => ({ value: {}, field: 'items' }),
  item: () => ({}),
  event: ({ metadata }, { isFirst }) => ({ name: metadata.name, isFirst }),
  bookmark: (_bookmark, { isFirst }) => ({ name: 'mark', isFirst }),
};
const encoding = new ObjectEncoding('json');
const stream = { encoding, framing: encoding.encoder.frame };
const bookmark = { kind: 'Thing', apiVersion: 'v1', metadata: {} };

function event(name: string): WatchEvent {
  return new WatchEvent('ADDED', Buffer.from(`{"metadata":{"name":"${name}"}}\n`));
}

function linesOf(frames: Iterable<Buffer>): string[] {
  return String(Buffer.concat([...frames]))
    .trimEnd()
    .split('\n');
}

function shown(...frames: Iterable<Buffer>[]): string[] {
  return frames.flatMap((group) =>
    linesOf(group).map((line) => {
      const { type, object } = JSON.parse(line);
      return `${type} ${object.name}${object.isFirst ? ' first' : ''}`;
    }),
  );
}

describe('frames', () => {
  it('are shared by streams of one format if their events are live', () => {
    const [one, two] = [
      new RepresentedWatchFormat(representation, stream),
      new RepresentedWatchFormat(representation, stream),
    ];
    const other = new RepresentedWatchFormat({ ...representation, name: 'other' }, stream);
    for (const format of [one, two, other]) {
      format.bookmark(bookmark);
      format.goLive();
    }
    const happened = event('a');
    expect(two.liveFrame(happened)).toBe(one.liveFrame(happened));
    expect(other.liveFrame(happened)).not.toBe(one.liveFrame(happened));
    // The first event is encoded for each stream, because cells may show an age.
    expect(one.frame(happened)).not.toBe(one.liveFrame(happened));
  });

  it('are joined to chunks in a long backlog', () => {
    const format = new RepresentedWatchFormat(representation, stream);
    const chunks = [...format.chunks(Array.from({ length: 10_000 }, (_, index) => event(`n-${index}`)))];
    expect(chunks.length).toBeLessThan(20);
    const lines = String(Buffer.concat(chunks)).trimEnd().split('\n');
    expect(lines).toHaveLength(10_000);
    expect(JSON.parse(lines.at(-1)!).object.name).toBe('n-9999');
  });
});

describe('the first event of a stream', () => {
  it('is the first of the backlog', () => {
    const format = new RepresentedWatchFormat(representation, stream);
    const backlog = [...format.chunks([event('a'), event('b')]), ...format.chunks([event('c')])];
    const last = format.bookmark(bookmark);
    format.goLive();
    expect(shown(backlog, [last, format.liveFrame(event('d'))])).toEqual([
      'ADDED a first',
      'ADDED b',
      'ADDED c',
      'BOOKMARK mark',
      'ADDED d',
    ]);
  });

  it('is the bookmark after an empty backlog', () => {
    const format = new RepresentedWatchFormat(representation, stream);
    const last = format.bookmark(bookmark);
    format.goLive();
    expect(shown([last, format.liveFrame(event('a'))])).toEqual(['BOOKMARK mark first', 'ADDED a']);
  });

  it('is the first live one when there is nothing before it', () => {
    const format = new RepresentedWatchFormat(representation, stream);
    format.goLive();
    expect(shown([format.liveFrame(event('a')), format.liveFrame(event('b'))])).toEqual(['ADDED a first', 'ADDED b']);
  });

  it('is marked even when a later one was encoded before it', () => {
    const format = new RepresentedWatchFormat(representation, stream);
    const early = format.liveFrame(event('live'));
    const backlog = [format.frame(event('a'))];
    const late = format.liveFrame(event('later'));
    format.goLive();
    expect(shown(backlog, [early, late, format.liveFrame(event('last'))])).toEqual([
      'ADDED a first',
      'ADDED live first',
      'ADDED later',
      'ADDED last',
    ]);
  });

  it('is a live one that was encoded before the backlog turned out to be empty', () => {
    const format = new RepresentedWatchFormat(representation, stream);
    const early = format.liveFrame(event('live'));
    format.goLive();
    expect(shown([early, format.liveFrame(event('next'))])).toEqual(['ADDED live first', 'ADDED next']);
  });
});
