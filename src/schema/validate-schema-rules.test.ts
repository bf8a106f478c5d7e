import { describe, expect, it } from 'vitest';
import { fieldErrorText, requiredValue } from '../meta/field-error.ts';
import { field, int32, listOf, mapOf, string, struct } from './builders.ts';
import type { StructSchema } from './model.ts';
import { validateSchemaRules } from './validate-schema-rules.ts';

const Port = struct('core/v1.Port', () => ({
  number: field(1, int32, { required: true, always: true }),
  protocol: field(2, string, { enum: ['UDP', 'TCP', ''] }),
}));
const Source = struct('core/v1.Source', () => ({ path: field(1, string, { required: true }) }));
const Container: StructSchema = struct('core/v1.Container', () => ({
  name: field(1, string, { required: true, always: true }),
  ports: field(2, listOf(Port)),
  byName: field(3, mapOf(Port)),
  source: field(4, Source, { inline: true }),
  children: field(5, listOf(Container)),
  modes: field(6, listOf(string), { enum: ['b', 'a'] }),
}));
const Spec = struct('core/v1.Spec', () => ({
  containers: field(1, listOf(Container), { required: true, always: true }),
  selector: field(2, Source, { required: true, pointer: true }),
}));
const Status = struct('core/v1.Status', () => ({ phase: field(1, string, { required: true }) }));
const Thing = struct('core/v1.Thing', () => ({ spec: field(1, Spec), status: field(2, Status) }));

const texts = (object: unknown, path = ''): string[] =>
  validateSchemaRules(Thing, object, { path }).map(fieldErrorText);

describe('schema rules', () => {
  it('reports required fields that are absent, null or empty', () => {
    const both = ['spec.containers: Required value', 'spec.selector: Required value'];
    expect(texts({ spec: {} })).toEqual(both);
    expect(texts({ spec: { containers: null, selector: null } })).toEqual(both);
    expect(texts({ spec: { containers: [] } })).toEqual(both);
  });

  it('descends into lists, maps, inline and recursive structs', () => {
    const bad = {
      name: '',
      path: 'p',
      ports: [
        { number: 1, protocol: 'TCP' },
        { number: 2, protocol: 'x' },
      ],
      byName: { k: { number: 0, protocol: 'y' } },
    };
    const spec = { selector: { path: 'p' }, containers: [{ name: 'a', children: [bad, { name: 'b' }] }] };
    expect(texts({ spec })).toEqual([
      'spec.containers[0].path: Required value',
      'spec.containers[0].children[0].name: Required value',
      'spec.containers[0].children[0].ports[1].protocol: Unsupported value: "x": supported values: "TCP", "UDP"',
      'spec.containers[0].children[0].byName[k].protocol: Unsupported value: "y": supported values: "TCP", "UDP"',
      'spec.containers[0].children[1].path: Required value',
    ]);
  });

  it('checks each element of a list with an enum', () => {
    const spec = { selector: { path: 'p' }, containers: [{ name: 'a', path: 'p', modes: ['a', 'c'] }] };
    expect(texts({ spec })).toEqual([
      'spec.containers[0].modes[1]: Unsupported value: "c": supported values: "a", "b"',
    ]);
  });

  it('accepts zero for a required number, and skips the status', () => {
    const spec = { selector: { path: 'p' }, containers: [{ name: 'a', path: 'p', ports: [{ number: 0 }] }] };
    expect(texts({ spec, status: {} })).toEqual([]);
  });

  it('prepends the path, and adds no errors for fields that already have one', () => {
    expect(texts({ spec: {} }, 'template')).toEqual([
      'template.spec.containers: Required value',
      'template.spec.selector: Required value',
    ]);
    const known = [requiredValue('spec.selector', 'really')];
    expect(validateSchemaRules(Thing, { spec: {} }, { path: '', known }).map(fieldErrorText)).toEqual([
      'spec.containers: Required value',
    ]);
  });
});
