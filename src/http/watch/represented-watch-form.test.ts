import { describe, expect, it } from 'vitest';
import { WatchEvent } from '../../registry/watch-event.ts';
import { PartialObjectMetadata as schema } from '../../schema/meta-types.ts';
import { ObjectEncoding } from '../answers/object-encoding.ts';
import type { Representation } from '../representations/representation.ts';
import { RepresentedWatchForm } from './represented-watch-form.ts';

/** Shows nothing but whether an event is told to be the first. */
const representation: Representation = {
  name: 'first or not',
  schemas: { one: schema, list: schema, item: schema },
  one: () => ({}),
  openList: () => ({ value: {}, field: 'items' }),
  item: () => ({}),
  event: ({ metadata }, isFirst) => ({ name: metadata.name, isFirst }),
  bookmark: (_bookmark, isFirst) => ({ name: 'mark', isFirst }),
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
  it('of live events are shared by the streams of a form', () => {
    const [one, two] = [
      new RepresentedWatchForm(representation, stream),
      new RepresentedWatchForm(representation, stream),
    ];
    const other = new RepresentedWatchForm({ ...representation, name: 'other' }, stream);
    for (const form of [one, two, other]) {
      form.bookmark(bookmark);
      form.goLive();
    }
    const happened = event('a');
    expect(two.liveFrame(happened)).toBe(one.liveFrame(happened));
    expect(other.liveFrame(happened)).not.toBe(one.liveFrame(happened));
    // What is new to a stream is made for it: it may show how old something is.
    expect(one.frame(happened)).not.toBe(one.liveFrame(happened));
  });

  it('of a long backlog come in pieces of many', () => {
    const form = new RepresentedWatchForm(representation, stream);
    const chunks = [...form.chunks(Array.from({ length: 10_000 }, (_, index) => event(`n-${index}`)))];
    expect(chunks.length).toBeLessThan(20);
    const lines = String(Buffer.concat(chunks)).trimEnd().split('\n');
    expect(lines).toHaveLength(10_000);
    expect(JSON.parse(lines.at(-1)!).object.name).toBe('n-9999');
  });
});

describe('the first event of a stream', () => {
  it('is the first of the backlog', () => {
    const form = new RepresentedWatchForm(representation, stream);
    const backlog = [...form.chunks([event('a'), event('b')]), ...form.chunks([event('c')])];
    const last = form.bookmark(bookmark);
    form.goLive();
    expect(shown(backlog, [last, form.liveFrame(event('d'))])).toEqual([
      'ADDED a first',
      'ADDED b',
      'ADDED c',
      'BOOKMARK mark',
      'ADDED d',
    ]);
  });

  it('is the bookmark behind an empty backlog', () => {
    const form = new RepresentedWatchForm(representation, stream);
    const last = form.bookmark(bookmark);
    form.goLive();
    expect(shown([last, form.liveFrame(event('a'))])).toEqual(['BOOKMARK mark first', 'ADDED a']);
  });

  it('is the first live one when there is nothing before it', () => {
    const form = new RepresentedWatchForm(representation, stream);
    form.goLive();
    expect(shown([form.liveFrame(event('a')), form.liveFrame(event('b'))])).toEqual(['ADDED a first', 'ADDED b']);
  });

  it('is told as such even when a later one was made before it', () => {
    const form = new RepresentedWatchForm(representation, stream);
    const early = form.liveFrame(event('live'));
    const backlog = [form.frame(event('a'))];
    const late = form.liveFrame(event('later'));
    form.goLive();
    expect(shown(backlog, [early, late, form.liveFrame(event('last'))])).toEqual([
      'ADDED a first',
      'ADDED live first',
      'ADDED later',
      'ADDED last',
    ]);
  });

  it('is a live one that was made before the backlog turned out to be empty', () => {
    const form = new RepresentedWatchForm(representation, stream);
    const early = form.liveFrame(event('live'));
    form.goLive();
    expect(shown([early, form.liveFrame(event('next'))])).toEqual(['ADDED live first', 'ADDED next']);
  });
});
