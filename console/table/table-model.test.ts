import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WatchEvent } from '../api/follow.ts';
import { type ApiTable, type Shown, TableModel } from './table-model.ts';

const columnDefinitions = [
  { name: 'Name', type: 'string' },
  { name: 'Size', type: 'integer' },
  { name: 'Age', type: 'string' },
  { name: 'IP', type: 'string' },
];

function row(name: string, size = 0, namespace = 'a') {
  const created = new Date(Date.UTC(2026, 0, 1) + size * 1000).toISOString();
  return {
    cells: [name, size, '1s', `10.0.0.${(size * 9) % 17}`],
    object: { metadata: { name, namespace, labels: { app: `app-${size}` }, creationTimestamp: created } },
  };
}

function page(rows: ReturnType<typeof row>[], remainingItemCount = 0): ApiTable {
  return { metadata: { remainingItemCount }, columnDefinitions, rows };
}

function event(type: WatchEvent<ApiTable>['type'], ...rows: ReturnType<typeof row>[]): WatchEvent<ApiTable> {
  return { type, object: { columnDefinitions: null, rows } };
}

function modelOf(...rows: ReturnType<typeof row>[]): TableModel {
  const model = new TableModel();
  model.listing();
  model.page(page(rows));
  model.listed();
  return model;
}

const names = (model: TableModel) => model.view.map(({ name }) => name);

describe('TableModel', () => {
  it('shows rows in the order of their names', () => {
    expect(names(modelOf(row('b'), row('a'), row('c')))).toEqual(['a', 'b', 'c']);
  });

  it.each([
    ['Size', false, ['x2', 'x10', 'x30']],
    ['Size', true, ['x30', 'x10', 'x2']],
    ['Name', false, ['x2', 'x10', 'x30']],
    ['Age', false, ['x30', 'x10', 'x2']],
    ['IP', false, ['x2', 'x10', 'x30']],
    ['Missing', false, ['x10', 'x2', 'x30']],
  ])('sorts by %s, descending: %s', (column, isDescending, expected) => {
    const model = modelOf(row('x2', 2), row('x10', 10), row('x30', 30));
    model.show({ sort: { column, isDescending }, text: '' });
    expect(names(model)).toEqual(expected);
  });

  it.each([
    ['one', ['one']],
    ['APP-2', ['two']],
    ['app o', ['one', 'two']],
    ['nothing', []],
    ['', ['one', 'two']],
  ])('finds rows with %j', (text, expected) => {
    const model = modelOf(row('one', 1), row('two', 2));
    model.show({ text });
    expect(names(model)).toEqual(expected);
  });

  it('shows other rows in the same array', () => {
    const model = modelOf(row('b'), row('a'), row('c'));
    const { view } = model;
    model.show({ text: '', sort: { column: 'Name', isDescending: true } });
    model.show({ text: 'c' });
    model.show({ text: '' });
    expect(model.view).toBe(view);
    expect(names(model)).toEqual(['a', 'b', 'c']);
  });

  it('lets an event win over a page that comes later', () => {
    const model = new TableModel();
    model.listing();
    model.page(page([row('a')], 2));
    model.apply([event('DELETED', row('b')), event('MODIFIED', row('c', 7))]);
    model.page(page([row('b'), row('c', 1)]));
    model.listed();
    expect(model.view.map(({ name, cells }) => [name, cells[1]])).toEqual([
      ['a', 0],
      ['c', 7],
    ]);
  });

  it('removes what a new list no longer has, and nothing before it is complete', () => {
    const model = modelOf(row('a'), row('b'));
    model.listing();
    model.page(page([row('b')], 1));
    expect(names(model)).toEqual(['a', 'b']);
    model.page(page([row('c')]));
    model.listed();
    expect(names(model)).toEqual(['b', 'c']);
  });

  it('counts what the server has not sent yet', () => {
    const model = new TableModel();
    model.listing();
    model.page(page([row('a')], 41));
    expect(model.size + model.remaining).toBe(42);
  });

  it('shows after any events what a new model of the same rows shows', () => {
    const name = fc.integer({ min: 0, max: 30 }).map((number) => `n${number}`);
    const change = fc.record({ name, size: fc.integer({ min: 0, max: 5 }), isDeleted: fc.boolean() });
    const shown: fc.Arbitrary<Shown> = fc.record({
      text: fc.constantFrom('', 'n', 'n2', 'app-1', 'n2 app'),
      sort: fc.option(fc.record({ column: fc.constantFrom('Size', 'Name', 'Age'), isDescending: fc.boolean() }), {
        nil: undefined,
      }),
    });
    fc.assert(
      fc.property(
        fc.array(fc.array(change, { maxLength: 40 }), { maxLength: 6 }),
        fc.array(shown, { minLength: 1, maxLength: 3 }),
        (batches, shows) => {
          const model = modelOf(row('n1', 1), row('n2', 2));
          model.show(shows[0]!);
          const expected = new Map([
            ['n1', row('n1', 1)],
            ['n2', row('n2', 2)],
          ]);
          for (const [index, batch] of batches.entries()) {
            model.show(shows[index % shows.length]!);
            model.apply(
              batch.map(({ name, size, isDeleted }) => event(isDeleted ? 'DELETED' : 'MODIFIED', row(name, size))),
            );
            for (const { name, size, isDeleted } of batch) {
              if (isDeleted) expected.delete(name);
              else expected.set(name, row(name, size));
            }
          }
          const fresh = modelOf(...expected.values());
          fresh.show(shows.at(-1)!);
          model.show(shows.at(-1)!);
          expect(model.view).toEqual(fresh.view);
        },
      ),
    );
  });
});
