import { type FieldError, invalidValue } from '../meta/field-error.ts';
import type { ResourceObject } from '../meta/object.ts';
import { internalError } from '../meta/status-error.ts';
import type { SubresourceDefinition } from '../registry/resource-definition.ts';
import type { Subresources } from '../resources/apiextensions/definition-shape.ts';
import { Scale } from '../resources/autoscaling/scale-v1-types.ts';
import { customScaleColumns } from './custom-columns.ts';

type ScalePaths = NonNullable<Subresources['scale']>;

const scaleColumns = customScaleColumns();
const maxReplicas = 2 ** 31 - 1;

/** The `scale` subresource of a custom resource, whose definition states the paths of its fields. */
export function customScale(paths: ScalePaths): SubresourceDefinition {
  const { specReplicasPath = '', statusReplicasPath = '', labelSelectorPath = '' } = paths;
  const field = segmentsOf(specReplicasPath);
  return {
    name: 'scale',
    kind: 'Scale',
    groupVersion: { group: 'autoscaling', version: 'v1' },
    verbs: ['get', 'patch', 'update'],
    columns: () => scaleColumns,
    projection: {
      schema: Scale,
      view(object) {
        const replicas = replicasAt(object, specReplicasPath);
        if (replicas === undefined) {
          throw internalError(`the spec replicas field "${specReplicasPath}" does not exist`);
        }
        const selector = labelSelectorPath === '' ? undefined : valueAt(object, segmentsOf(labelSelectorPath));
        return {
          spec: { replicas },
          status: {
            replicas: replicasAt(object, statusReplicasPath) ?? 0,
            ...(typeof selector === 'string' && selector !== '' && { selector }),
          },
        } as unknown as ResourceObject;
      },
      // The object is validated as a whole.
      validate: () => [],
      apply(object, sent) {
        const { replicas = 0 } = (sent.spec ?? {}) as { replicas?: number };
        let parent = object as unknown as Record<string, unknown>;
        for (const name of field.slice(0, -1)) {
          if (typeof parent[name] !== 'object' || parent[name] === null) parent[name] = {};
          parent = parent[name] as Record<string, unknown>;
        }
        parent[field.at(-1)!] = replicas;
      },
      field,
    },
  };
}

/** Checks the numbers of replicas, which a scale must be able to show. */
export function validateReplicas(object: ResourceObject, path: string | undefined): FieldError[] {
  if (path === undefined) return [];
  const value = valueAt(object, segmentsOf(path));
  if (typeof value !== 'number' || !Number.isInteger(value)) return [];
  if (value < 0) return [invalidValue(path, value, 'should be a non-negative integer')];
  if (value > maxReplicas) return [invalidValue(path, value, `should be less than or equal to ${maxReplicas}`)];
  return [];
}

function replicasAt(object: ResourceObject, path: string): number | undefined {
  const value = valueAt(object, segmentsOf(path));
  return typeof value === 'number' ? value : undefined;
}

/** The path has the form `.spec.replicas`. */
function segmentsOf(path: string): string[] {
  return path.split('.').slice(1);
}

function valueAt(object: ResourceObject, segments: readonly string[]): unknown {
  let value: unknown = object;
  for (const segment of segments) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) return undefined;
    value = (value as Record<string, unknown>)[segment];
  }
  return value;
}
