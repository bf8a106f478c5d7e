import { describe, expect, it } from 'vitest';
import type { Cell, ColumnDefinition } from '../meta/table-columns.ts';
import type { CustomResourceColumnDefinition } from '../resources/apiextensions/custom-resource-definition-types.ts';
import { customColumns, customScaleColumns } from './custom-columns.ts';

const now = Date.parse('2030-01-02T00:00:00Z');
const name = { name: 'Name', type: 'string', format: 'name', description: 'Name of the object.', priority: 0 };

/** The cell of an object with this `value`. */
function cellOf(value: unknown, type: ColumnDefinition['type'], jsonPath = '.value'): Cell | undefined {
  const object = { metadata: { name: 'it' }, ...(value !== undefined && { value }) };
  return customColumns([{ name: 'Value', type, jsonPath }]).cells(object, now)[1];
}

describe('the columns of a custom resource', () => {
  it('begin with the name and have their own descriptions', () => {
    const { definitions } = customColumns([
      { name: 'Color', type: 'string', jsonPath: '.spec.color' },
      { name: 'Size', type: 'integer', format: 'int32', description: 'How large.', priority: 1, jsonPath: '.spec.n' },
      { name: 'Empty', type: 'boolean', format: '', description: '', priority: 0, jsonPath: '.spec.b' },
    ]);
    const text = 'Custom resource definition column (in JSONPath format): ';
    expect(definitions).toEqual([
      name,
      { name: 'Color', type: 'string', format: '', description: `${text}.spec.color`, priority: 0 },
      { name: 'Size', type: 'integer', format: 'int32', description: 'How large.', priority: 1 },
      { name: 'Empty', type: 'boolean', format: '', description: `${text}.spec.b`, priority: 0 },
    ]);
  });

  it('are name and age when none are defined', () => {
    const { definitions, cells } = customColumns([]);
    const description = 'Time since the object was created.';
    expect(definitions).toEqual([name, { name: 'Age', type: 'date', format: '', description, priority: 0 }]);
    expect(cells({ metadata: { name: 'it', creationTimestamp: '2030-01-01T23:58:00Z' } }, now)).toEqual(['it', '2m']);
  });

  it('end before a path that is not valid', () => {
    const columns = ['.a', '.b[', '.c'].map(
      (jsonPath): CustomResourceColumnDefinition => ({ name: jsonPath, type: 'string', jsonPath }),
    );
    const { definitions, cells } = customColumns(columns);
    expect(definitions.map((definition) => definition.name)).toEqual(['Name', '.a']);
    expect(cells({ metadata: { name: 'it' }, a: 'x', c: 'y' }, now)).toEqual(['it', 'x']);
  });

  it('are the numbers of replicas and the age for a scale', () => {
    const { definitions, cells } = customScaleColumns();
    const types = definitions.map((definition) => `${definition.name}:${definition.type}`);
    expect(types).toEqual(['Name:string', 'Desired:integer', 'Available:integer', 'Age:date']);
    const metadata = { name: 'it', creationTimestamp: '2030-01-01T23:58:00Z' };
    const scale = { metadata, spec: { replicas: 3 }, status: { replicas: 0 } };
    expect(cells(scale, now)).toEqual(['it', 3, 0, '2m']);
  });

  it('may not work without end', () => {
    const many = Array.from({ length: 5 }, (_, index): CustomResourceColumnDefinition => {
      return { name: `C${index}`, type: 'string', jsonPath: '.list[*]' };
    });
    const { cells } = customColumns(many);
    const list = Array.from({ length: 40_000 }, () => 'x');
    expect(cells({ metadata: { name: 'it' }, list }, now)).toEqual(['it', 'x', 'x', null, null, null]);
  });
});

describe('a cell', () => {
  it.each<[value: unknown, type: ColumnDefinition['type'], cell: Cell]>([
    [undefined, 'string', null],
    ['red', 'string', 'red'],
    ['', 'string', ''],
    [5, 'string', '5'],
    [-5, 'string', '-5'],
    [2.5, 'string', '2.5'],
    [0.0001, 'string', '0.0001'],
    [0.00001, 'string', '1e-05'],
    [1.5e-7, 'string', '1.5e-07'],
    [1_000_000, 'string', '1000000'],
    [1_234_567.5, 'string', '1.2345675e+06'],
    [1e20, 'string', '1e+20'],
    [1.5e21, 'string', '1.5e+21'],
    [1e-100, 'string', '1e-100'],
    [9_007_199_254_740_993n, 'string', '9007199254740993'],
    [true, 'string', 'true'],
    [null, 'string', '<no value>'],
    [[], 'string', '[]'],
    [['a', 1, null], 'string', '["a",1,null]'],
    [{ a: { b: 'c < d' } }, 'string', '{"a":{"b":"c \\u003c d"}}'],
    [{ n: 9_007_199_254_740_993n }, 'string', '{"n":9007199254740993}'],
    [undefined, 'integer', null],
    [null, 'integer', null],
    [5, 'integer', 5],
    [5.9, 'integer', 5],
    [-5.9, 'integer', -5],
    [1e30, 'integer', -9_223_372_036_854_775_808n],
    [9_007_199_254_740_993n, 'integer', 9_007_199_254_740_993n],
    ['5', 'integer', null],
    [true, 'integer', null],
    [{}, 'integer', null],
    [5, 'number', 5],
    [2.5, 'number', 2.5],
    [9_007_199_254_740_993n, 'number', 9_007_199_254_740_992],
    ['2.5', 'number', null],
    [null, 'number', null],
    [true, 'boolean', true],
    [false, 'boolean', false],
    ['true', 'boolean', null],
    [1, 'boolean', null],
    [null, 'boolean', null],
    ['2030-01-01T23:59:30Z', 'date', '30s'],
    ['2030-01-01T23:59:30.123456789Z', 'date', '30s'],
    ['2030-01-02T00:59:30+01:00', 'date', '30s'],
    ['2029-12-30T00:00:00Z', 'date', '3d'],
    ['2030-01-02T00:00:05Z', 'date', '<invalid>'],
    ['yesterday', 'date', '<invalid>'],
    ['2030-01-01', 'date', '<invalid>'],
    ['', 'date', '<unknown>'],
    ['null', 'date', '<unknown>'],
    ['0001-01-01T00:00:00Z', 'date', '<unknown>'],
    [1_700_000_000, 'date', null],
    [null, 'date', null],
  ])('for %o in a column of type %s is %o', (value, type, cell) => expect(cellOf(value, type)).toEqual(cell));

  it.each<[path: string, cell: Cell]>([
    ['.value[*].status', 'False'],
    ['.value[?(@.type=="Ready")].status', 'True'],
    ['.value[?(@.type == "Ready")].status', 'True'],
    ['.value[?(@.type=="Other")].status', null],
    ['.value[9].status', null],
    ['.value..status', 'False'],
    ['.metadata.name', 'it'],
  ])('shows the first result of %s', (path, cell) => {
    const conditions = [
      { type: 'Synced', status: 'False' },
      { type: 'Ready', status: 'True' },
    ];
    expect(cellOf(conditions, 'string', path)).toBe(cell);
  });

  it('is null for a value that is nested too deeply for JSON', () => {
    let value: unknown = 0;
    for (let level = 0; level < 100_000; level++) value = [value];
    expect(cellOf(value, 'string')).toBeNull();
  });
});
