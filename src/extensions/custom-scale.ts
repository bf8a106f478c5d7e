import { type FieldError, invalidValue } from '../meta/field-error.ts';
import { goPrint, goType } from '../meta/go-value.ts';
import type { ResourceObject } from '../meta/object.ts';
import { badRequest, internalError } from '../meta/status-error.ts';
import type { SubresourceDefinition } from '../registry/resource-definition.ts';
import type { CustomResourceSubresources } from '../resources/apiextensions/custom-resource-definition-types.ts';
import { Scale } from '../resources/autoscaling/scale-v1-types.ts';
import { isObject } from '../schema/normalize/type-mismatch.ts';
import { customScaleColumns } from './custom-columns.ts';

type ScalePaths = NonNullable<CustomResourceSubresources['scale']>;

const scaleColumns = customScaleColumns();
const maxReplicas = 2 ** 31 - 1;
/** Stands for a missing number while a scale is changed, so that a patch that does not set it can be told apart. */
const unsetReplicas = -(2 ** 31);

interface ScaleSpec {
  readonly replicas?: number;
}

/** The `scale` subresource of a custom resource, whose definition states the paths of its fields. */
export function customScale(paths: ScalePaths): SubresourceDefinition {
  const { specReplicasPath = '', statusReplicasPath = '', labelSelectorPath = '' } = paths;
  const field = segmentsOf(specReplicasPath);
  const viewOf = (object: ResourceObject, replicas: number): ResourceObject => {
    const selector = labelSelectorPath === '' ? undefined : valueAt(object, segmentsOf(labelSelectorPath));
    const status = {
      replicas: replicasAt(object, statusReplicasPath) ?? 0,
      ...(typeof selector === 'string' && selector !== '' && { selector }),
    };
    return { spec: { replicas }, status } as unknown as ResourceObject;
  };
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
        return viewOf(object, replicas);
      },
      changedView: (object) => viewOf(object, replicasAt(object, specReplicasPath) ?? unsetReplicas),
      admittedView: (object) => viewOf(object, replicasAt(object, specReplicasPath) ?? 0),
      // The object is validated as a whole.
      validate(sent) {
        if ((sent.spec as ScaleSpec | undefined)?.replicas === unsetReplicas) {
          throw badRequest(`the spec replicas field "${specReplicasPath}" cannot be empty`);
        }
        return [];
      },
      apply(object, sent) {
        const { replicas = 0 } = (sent.spec ?? {}) as ScaleSpec;
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

/** Checks the number of desired replicas, which a scale must be able to show. */
export function validateScaleSpec(object: ResourceObject, paths: ScalePaths | undefined): FieldError[] {
  return paths === undefined ? [] : replicasErrors(object, paths.specReplicasPath);
}

/** Checks the status that a scale must be able to show. */
export function validateScaleStatus(object: ResourceObject, paths: ScalePaths | undefined): FieldError[] {
  if (paths === undefined) return [];
  const { statusReplicasPath, labelSelectorPath = '' } = paths;
  return [...replicasErrors(object, statusReplicasPath), ...selectorErrors(object, labelSelectorPath)];
}

function replicasErrors(object: ResourceObject, path = ''): FieldError[] {
  const { value, problem } = accessed(object, { path, goType: 'int64' });
  if (problem !== undefined) return [invalidValue(path, 0, problem)];
  if (value === undefined) return [];
  const replicas = value as number | bigint;
  if (replicas < 0) return [invalidValue(path, replicas, 'should be a non-negative integer')];
  if (replicas > maxReplicas) return [invalidValue(path, replicas, `should be less than or equal to ${maxReplicas}`)];
  return [];
}

function selectorErrors(object: ResourceObject, path: string): FieldError[] {
  if (path === '') return [];
  const { problem } = accessed(object, { path, goType: 'string' });
  return problem === undefined ? [] : [invalidValue(path, '', problem)];
}

interface Accessed {
  /** Undefined where the object has no value. */
  readonly value?: unknown;
  readonly problem?: string;
}

/** Finds the value at a path. It must have the type, and all values around it must be objects, unless one is null. */
function accessed(object: ResourceObject, wanted: { readonly path: string; readonly goType: string }): Accessed {
  const segments = segmentsOf(wanted.path);
  let value: unknown = object;
  for (const [index, segment] of segments.entries()) {
    if (value === null) return {};
    if (!isObject(value)) return refused(value, segments.slice(0, index + 1), 'map[string]interface{}');
    if (!Object.hasOwn(value, segment)) return {};
    value = value[segment];
  }
  return goType(value) === wanted.goType ? { value } : refused(value, segments, wanted.goType);
}

function refused(value: unknown, segments: readonly string[], wanted: string): Accessed {
  const path = `.${segments.join('.')}`;
  return { problem: `${path} accessor error: ${goPrint(value)} is of the type ${goType(value)}, expected ${wanted}` };
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
