import { describe, expect, it } from 'vitest';
import { fieldErrorText } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { runSync } from '../../meta/turns.ts';
import { definitionRules } from './definition-rules.ts';

const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };

function definition({ spec = {}, status = {} }: { spec?: object; status?: object } = {}): ResourceObject {
  return {
    metadata: { name: 'boats.harbour.example.com' },
    spec: {
      group: 'harbour.example.com',
      names: { plural: 'boats', singular: 'boat', kind: 'Boat', listKind: 'BoatList' },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema }],
      conversion: { strategy: 'None' },
      ...spec,
    },
    status: { conditions: null, storedVersions: ['v1'], ...status },
  };
}

const established = { conditions: [{ type: 'Established', status: 'True' }] };
const changed = { scope: 'Cluster', names: { plural: 'boats', singular: 'ship', kind: 'Ship', listKind: 'ShipList' } };

function updateErrors(next: ResourceObject, oldObject: ResourceObject): string[] {
  return runSync(definitionRules.validateSteps!(next, { oldObject, endpoint: 'main' })).map(fieldErrorText);
}

it.each([100, 101])('a definition has at most 100 versions: %i', (count) => {
  const versions = Array.from({ length: count }, (_, index) => ({
    name: `v${index + 1}`,
    storage: index === 0,
    schema,
  }));
  const errors = definitionRules.validateSteps!(definition({ spec: { versions } }), {
    oldObject: undefined,
    endpoint: 'main',
  });
  const expected = count > 100 ? [`spec.versions: Too many: ${count}: must have at most 100 items`] : [];
  expect(runSync(errors).map(fieldErrorText)).toEqual(expected);
});

describe('an update of a definition', () => {
  it('may change scope and kind until the definition is established', () => {
    expect(updateErrors(definition({ spec: changed }), definition())).toEqual([]);
    expect(updateErrors(definition({ spec: changed }), definition({ status: established }))).toEqual([
      'spec.scope: Invalid value: "Cluster": field is immutable',
      'spec.names.kind: Invalid value: "Ship": field is immutable',
    ]);
  });

  it('may never change the group or the plural name', () => {
    const next = definition({ spec: { group: 'sea.example.com' } });
    expect(updateErrors(next, definition())).toEqual([
      'spec.group: Invalid value: "sea.example.com": field is immutable',
    ]);
  });

  it('keeps all stored versions', () => {
    const next = definition({ spec: { versions: [{ name: 'v2', served: true, storage: true, schema }] } });
    definitionRules.prepareUpdate!(next, definition());
    expect(next.status).toMatchObject({ storedVersions: ['v1', 'v2'] });
    expect(updateErrors(next, definition())).toEqual([
      expect.stringMatching(/^status.storedVersions\[0\]: Invalid value: "v1": missing from spec.versions; v1 was /),
    ]);
  });

  it('accepts an invalid certificate bundle only if the old bundle is invalid', () => {
    const webhook = (caBundle: string) => ({
      conversion: {
        strategy: 'Webhook',
        webhook: { clientConfig: { url: 'https://h', caBundle }, conversionReviewVersions: ['v1'] },
      },
    });
    const next = definition({ spec: webhook('bm9uZQ==') });
    expect(updateErrors(next, definition())).toEqual([]);
    expect(updateErrors(next, definition({ spec: webhook('bm9uZQ=='), status: established }))).toEqual([]);
    expect(updateErrors(next, definition({ status: established }))).toEqual([
      'spec.conversion.webhookClientConfig.caBundle: Invalid value: "bm9uZQ==": unable to load root certificates: unable to parse bytes as PEM block',
    ]);
  });

  it('does not require an approval that the old definition lacks', () => {
    const inside = { spec: { group: 'harbour.k8s.io' } };
    expect(updateErrors(definition(inside), definition(inside))).toEqual([]);
  });
});

it('adds the storage version to a status without stored versions', () => {
  const object = definition({ status: { storedVersions: null } });
  definitionRules.setDefaults!(object);
  expect(object.status).toMatchObject({ storedVersions: ['v1'] });
});

it('warns of each unknown format once', () => {
  const withFormat = (format: string) =>
    definition({
      spec: {
        versions: [
          {
            name: 'v1',
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', properties: { a: { type: 'string', format } } } },
          },
        ],
      },
    });
  expect(definitionRules.warnings!(withFormat('knots'), undefined)).toEqual(['unrecognized format "knots"']);
  expect(definitionRules.warnings!(withFormat('knots'), withFormat('knots'))).toEqual([]);
  expect(definitionRules.warnings!(withFormat('date-time'), undefined)).toEqual([]);
});
