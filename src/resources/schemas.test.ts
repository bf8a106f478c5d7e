import { describe, expect, it } from 'vitest';
import type { Field, ListSchema, Schema, StructSchema } from '../schema/model.ts';
import { builtInKinds, builtInResources, optionalResources } from './index.ts';

const everyResource = [...builtInResources, ...optionalResources];

interface NamedSchemas {
  structs: Set<StructSchema>;
  lists: Set<ListSchema>;
}

/** All structs and named lists that are reachable from the built-in kinds. */
function reachable(): NamedSchemas {
  const found: NamedSchemas = { structs: new Set(), lists: new Set() };
  const visit = (schema: Schema): void => {
    switch (schema?.type) {
      case 'scalar':
        return;
      case 'list':
        if (schema.name) {
          found.lists.add(schema);
        }
        visit(schema.items);
        return;
      case 'map':
        visit(schema.values);
        return;
      case 'struct':
        if (!found.structs.has(schema)) {
          found.structs.add(schema);
          for (const field of schema.fields) {
            visit(field.schema);
          }
        }
        return;
      default:
        throw new Error(`no schema: ${JSON.stringify(schema)}`);
    }
  };
  for (const { schema } of [...everyResource, ...builtInKinds]) {
    visit(schema);
  }
  return found;
}

/** The fields in JSON, where the fields of inline structs belong to the parent. */
function jsonFields(struct: StructSchema): Field[] {
  return struct.fields.flatMap((field) =>
    field.inline && field.schema.type === 'struct' ? jsonFields(field.schema) : [field],
  );
}

const { structs, lists } = reachable();
const fields = [...structs].flatMap((struct) => struct.fields.map((field) => ({ struct, field })));

/** The fields that break a rule, one per line as `<struct>.<field>`. */
function offenders(breaks: (field: Field) => boolean): string[] {
  return fields.filter(({ field }) => breaks(field)).map(({ struct, field }) => `${struct.name}.${field.name}`);
}

function itemFields(field: Field): Set<string> {
  const items = field.schema.type === 'list' ? field.schema.items : undefined;
  return new Set(items?.type === 'struct' ? jsonFields(items).map(({ name }) => name) : []);
}

describe('schemas of the built-in kinds', () => {
  it('name each type once', () => {
    const names = [...structs, ...lists].map(({ name }) => name);
    expect(names.length).toBeGreaterThan(500);
    expect(names).toHaveLength(new Set(names).size);
  });

  it('use each protobuf field number of a struct once', () => {
    const repeated = [...structs].filter(
      (struct) => new Set(struct.fields.map(({ number }) => number)).size !== struct.fields.length,
    );
    expect(repeated.map(({ name }) => name)).toEqual([]);
  });

  it('name the fields of a struct once, inline ones included', () => {
    const repeated = [...structs].filter((struct) => {
      const names = jsonFields(struct).map(({ name }) => name);
      return new Set(names).size !== names.length;
    });
    expect(repeated.map(({ name }) => name)).toEqual([]);
  });

  it('use fields of the items as list map keys', () => {
    expect(
      offenders((field) => Array.isArray(field.list) && field.list.some((key) => !itemFields(field).has(key))),
    ).toEqual([]);
  });

  it('use a field of the items as merge key', () => {
    expect(
      offenders((field) => field.patch?.mergeKey !== undefined && !itemFields(field).has(field.patch.mergeKey)),
    ).toEqual([]);
  });

  it('use enum members as default values', () => {
    expect(
      offenders(
        (field) =>
          field.enum !== undefined && field.default !== undefined && !field.enum.some((item) => item === field.default),
      ),
    ).toEqual([]);
  });

  it('inline only structs', () => {
    expect(offenders((field) => field.inline === true && field.schema.type !== 'struct')).toEqual([]);
  });

  it('discriminate unions by their own fields', () => {
    const broken = [...structs].filter((struct) => {
      const names = new Set(struct.fields.map(({ name }) => name));
      return struct.unions.some(
        (union) =>
          Object.keys(union.fields).some((name) => !names.has(name)) ||
          (union.discriminator !== undefined && !names.has(union.discriminator)),
      );
    });
    expect(broken.map(({ name }) => name)).toEqual([]);
  });

  it('have metadata as the first field of every stored kind', () => {
    const without = everyResource.filter(({ schema }) => {
      const [first] = schema.fields;
      return first?.name !== 'metadata' || first.number !== 1;
    });
    expect(without.map(({ kind }) => kind)).toEqual([]);
  });

  it.each([
    { type: 'core/v1.PodSpec', name: 'containers', number: 2, mergeKey: 'name', list: ['name'] },
    { type: 'core/v1.PodSpec', name: 'volumes', number: 1, mergeKey: 'name', list: ['name'] },
    { type: 'core/v1.PodSpec', name: 'tolerations', number: 22, mergeKey: undefined, list: 'atomic' },
    {
      type: 'core/v1.Container',
      name: 'ports',
      number: 6,
      mergeKey: 'containerPort',
      list: ['containerPort', 'protocol'],
    },
    { type: 'core/v1.EphemeralContainerCommon', name: 'env', number: 7, mergeKey: 'name', list: ['name'] },
    { type: 'core/v1.ServiceSpec', name: 'ports', number: 1, mergeKey: 'port', list: ['port', 'protocol'] },
    { type: 'core/v1.ServiceAccount', name: 'secrets', number: 2, mergeKey: 'name', list: ['name'] },
    { type: 'meta/v1.ObjectMeta', name: 'ownerReferences', number: 13, mergeKey: 'uid', list: ['uid'] },
    { type: 'meta/v1.ObjectMeta', name: 'finalizers', number: 14, mergeKey: undefined, list: 'set' },
    { type: 'apps/v1.DeploymentStatus', name: 'conditions', number: 6, mergeKey: 'type', list: ['type'] },
    { type: 'batch/v1.JobStatus', name: 'conditions', number: 1, mergeKey: 'type', list: 'atomic' },
  ])('state $type.$name', ({ type, name, number, mergeKey, list }) => {
    const field = fieldOf(type, name);
    expect({ number: field.number, mergeKey: field.patch?.mergeKey, list: field.list }).toEqual({
      number,
      mergeKey,
      list,
    });
  });

  it('make the claim reference of a persistent volume granular, although references are atomic', () => {
    expect(fieldOf('core/v1.PersistentVolumeSpec', 'claimRef').map).toBe('granular');
    expect([...structs].find(({ name }) => name === 'core/v1.ObjectReference')?.atomic).toBe(true);
  });

  it('list the real-time signals relative to RTMIN and RTMAX', () => {
    const signals = fieldOf('core/v1.Lifecycle', 'stopSignal').enum ?? [];
    expect(signals).toHaveLength(65);
    expect(signals.slice(33, 36)).toEqual(['SIGXFSZ', 'SIGRTMIN', 'SIGRTMIN+1']);
    expect(signals.slice(48, 52)).toEqual(['SIGRTMIN+14', 'SIGRTMIN+15', 'SIGRTMAX-14', 'SIGRTMAX-13']);
  });
});

function fieldOf(type: string, name: string): Field {
  const found = fields.find(({ struct, field }) => struct.name === type && field.name === name);
  if (!found) {
    throw new Error(`no field ${name} in ${type}`);
  }
  return found.field;
}
