import { describe, expect, it } from 'vitest';
import type { MovedValues } from '../storage.ts';
import { integrity } from './integrity.ts';
import { KeptSlabs } from './kept-slabs.ts';
import { type KeptValue, KeptValues } from './kept-values.ts';
import type { Version } from './packed-versions.ts';

const kilobyte = 1024;

/** The values, and a thread that receives their locations. */
class Bench {
  readonly moved: MovedValues[] = [];
  readonly slabs = new KeptSlabs();
  readonly ids = new Set<number>();
  readonly values = new KeptValues((message) => {
    for (const { id } of message.kept.slabs ?? []) this.ids.add(id);
    if (message.kept.dropped !== undefined) this.ids.delete(message.kept.dropped);
    const moved = this.slabs.receive(message);
    if (moved !== undefined) this.moved.push(moved);
  });

  text({ slab, offset, length }: KeptValue): string {
    return this.slabs.value(slab.id, offset, length).toString();
  }
}

const version = (revision: number, text: string): Version => ({
  modRevision: revision,
  createRevision: revision,
  value: Buffer.from(text),
  integrity: integrity.intact,
});
const always = (): boolean => true;

describe('kept values', () => {
  it('are those with a prefix that a thread keeps', () => {
    const { values, ...bench } = new Bench();
    expect(values.changed('/a/x', 1, Buffer.from('before'))).toBe(undefined);
    values.keep('/a/');
    expect(values.changed('/b/x', 2, Buffer.from('other'))).toBe(undefined);
    const kept = values.changed('/a/x', 3, Buffer.from('after'))!;
    expect(bench.slabs.value(kept.slab.id, kept.offset, kept.length).toString()).toBe('after');
    expect(values.changed('/a/x', 4, undefined)).toBe(undefined);
  });

  it('are found where they are, unless a later one is current', () => {
    const bench = new Bench();
    const { values } = bench;
    values.keep('/a/');
    const first = values.found('/a/x', version(1, 'one'), always)!;
    expect(values.found('/a/x', version(1, 'one'), always)).toBe(first);
    const second = values.changed('/a/x', 2, Buffer.from('two'))!;
    expect(values.found('/a/x', version(1, 'one'), always)).toBe(undefined);
    expect(values.found('/a/y', version(1, 'deleted since'), () => false)).toBe(undefined);
    expect([first, second].map((kept) => bench.text(kept))).toEqual(['one', 'two']);
  });

  it('are told to threads that come later', () => {
    const bench = new Bench();
    bench.values.keep('/a/');
    const kept = bench.values.changed('/a/x', 1, Buffer.from('one'))!;
    const later = new KeptSlabs();
    later.receive(structuredClone(bench.values.slabs));
    expect(later.value(kept.slab.id, kept.offset, kept.length).toString()).toBe('one');
  });

  it('take little more memory than the current ones, which are moved', () => {
    const bench = new Bench();
    const { values } = bench;
    values.keep('/');
    const texts = new Map<string, string>();
    const places = new Map<string, KeptValue>();
    for (let revision = 1; revision <= 20_000; revision++) {
      // A few keys change often; the others, which are between them in every slab, never do.
      const key = revision % 20 === 0 ? `/still-${revision}` : `/busy-${revision % 7}`;
      texts.set(key, `${revision}`.padEnd(kilobyte, '.'));
      places.set(key, values.changed(key, revision, Buffer.from(texts.get(key)!))!);
      values.compact();
    }
    // 1 MB of current values, and free memory that does not justify moving values.
    expect(bench.ids.size).toBeLessThanOrEqual(5);
    expect(bench.moved.some(({ values: { length } }) => length > 0)).toBe(true);
    const latest = new Map<string, string>();
    for (const { values: moved } of bench.moved) {
      for (const { key, value } of moved) latest.set(key, value.toString());
    }
    for (const [key, text] of latest) if (key.startsWith('/still-')) expect(text).toBe(texts.get(key));
    for (const [key, place] of places) if (!latest.has(key)) expect(bench.text(place)).toBe(texts.get(key));
  });

  it('are there until the events of their batch have been sent, also if they are replaced in it', () => {
    const bench = new Bench();
    const { values } = bench;
    values.keep('/');
    const texts = ['a', 'b', 'c'].map((letter) => letter.repeat(2048 * kilobyte));
    const kept = texts.map((text, index) => values.changed('/huge', index + 1, Buffer.from(text))!);
    expect(kept.map((value) => bench.text(value) === texts[kept.indexOf(value)])).toEqual([true, true, true]);
    values.compact();
    expect(bench.ids).toEqual(new Set([kept[2]!.slab.id]));
    expect(bench.text(kept[2]!)).toBe(texts[2]);
  });

  it('have a slab of their own when they are large, which is dropped with them', () => {
    const bench = new Bench();
    const { values } = bench;
    values.keep('/');
    values.changed('/small', 1, Buffer.from('small'));
    values.changed('/large', 2, Buffer.alloc(300 * kilobyte, 'x'));
    const before = bench.ids.size;
    values.changed('/large', 3, undefined);
    values.compact();
    expect([before, bench.ids.size]).toEqual([1, 1]);
    values.changed('/huge', 4, Buffer.alloc(2048 * kilobyte, 'x'));
    expect(bench.ids.size).toBe(2);
    values.changed('/huge', 5, undefined);
    values.compact();
    expect(bench.ids.size).toBe(1);
    expect(bench.moved.map(({ released }) => released?.byteLength)).toEqual([2048 * kilobyte]);
  });
});
