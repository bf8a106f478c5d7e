import type { AdmissionContext, AdmissionRequest, AdmissionTarget, AdmittedKind } from '../admission/index.ts';
import { kindShape } from '../merge/managed-fields/index.ts';
import { DecodeError } from '../meta/decode-error.ts';
import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { UserInfo } from '../meta/user.ts';
import { Findings } from '../schema/normalize/index.ts';
import { type DecodableKind, subresourceKind } from './decodable-kind.ts';
import { isCustom } from './kind-mismatch.ts';
import { checkObjectSize } from './lifecycle/check-object-size.ts';
import type { ResourceDefinition } from './resource-definition.ts';

export interface AdmittedWrite {
  readonly operation: AdmissionRequest['operation'];
  readonly object: ResourceObject;
  readonly oldObject: ResourceObject | undefined;
  /** The namespace and name of the request, if they differ from those of the object. */
  readonly item?: { readonly namespace: string; readonly name: string };
  readonly user: UserInfo;
  readonly dryRun: boolean;
  readonly warn: (text: string) => void;
  /** Undefined for writes of the server itself. */
  readonly admissionContext?: AdmissionContext | undefined;
}

const ownWrite: AdmissionContext = { options: {}, annotate: () => {} };

/** Describes an endpoint with a separate kind, such as `Eviction`, to the admission plugins. */
export function virtualTarget(
  kind: DecodableKind,
  endpoint: Pick<AdmissionTarget, 'resource' | 'subresource' | 'namespaced'>,
): AdmissionTarget {
  const { group, kind: name } = kind.definition;
  const version = kind.apiVersion.slice(kind.apiVersion.indexOf('/') + 1);
  const target: AdmissionTarget = {
    ...endpoint,
    kind: { group, version, kind: name },
    objects: {
      decode: (value, options) => decodeChanged(kind, value, options),
      shape: () => kindShape(kind.definition.schema),
      equivalents: () => [target],
      convert: (object) => structuredClone(object),
    },
  };
  return target;
}

/** The versions through which a type is served, for its endpoints. */
interface ServedVersions {
  readonly kind: DecodableKind;
  /** The targets of the same endpoint in all served versions. */
  readonly targets: (subresource: string) => readonly AdmissionTarget[];
  readonly convert: (object: ResourceObject, to: AdmissionTarget) => MaybePromise<ResourceObject>;
}

/** Describes an endpoint of a stored type to the admission plugins. */
export function storedTarget(
  { group, version, resource, kind, namespaced, subresources }: ResourceDefinition,
  subresource: string,
  versions: ServedVersions,
): AdmissionTarget {
  const common = { resource: { group, version, resource }, subresource, namespaced };
  const endpoint = subresources.find(({ name }) => name === subresource);
  const schema = endpoint?.projection?.schema ?? endpoint?.action?.schema;
  const objects: AdmittedKind = {
    decode: (value, options) => decodeChanged(versions.kind, value, options),
    shape: () => kindShape(versions.kind.definition.schema),
    equivalents: () => versions.targets(subresource),
    convert: (object, to) => versions.convert(object, to),
  };
  if (schema === undefined) return { ...common, kind: { group, version, kind }, objects };
  const { knownKind } = versions.kind;
  const own = subresourceKind({ group, version, ...endpoint?.groupVersion, kind: endpoint!.kind, schema, knownKind });
  const virtual = virtualTarget(own, common);
  // Kinds of subresources are the same in all versions of the resource.
  return { ...virtual, objects: { ...virtual.objects, equivalents: objects.equivalents } };
}

function decodeChanged(
  kind: DecodableKind,
  value: unknown,
  { strict = false }: { readonly strict?: boolean } = {},
): ResourceObject {
  const { compiled, definition, clock } = kind;
  checkObjectSize(value as ResourceObject);
  const findings = new Findings();
  const object = compiled.normalize(value, findings);
  // The fields that a schema of a custom resource does not declare are pruned, as kube-apiserver does before storing.
  if (strict && !isCustom(kind) && findings.texts.length > 0) {
    throw new DecodeError(`strict decoding error: ${findings.texts.join(', ')}`);
  }
  definition.rules.setDefaults?.(object, clock);
  return object;
}

/** Describes a write through an endpoint to the admission plugins. */
export function admissionRequest(target: AdmissionTarget, write: AdmittedWrite): AdmissionRequest {
  const { namespace = '', name = '' } = write.item ?? write.object.metadata;
  const { kind, resource, subresource } = target;
  const { options, annotate, deadline, explain, waited, traceParent } = write.admissionContext ?? ownWrite;
  // The fields are copied without a spread, which would cost more than all plugins that do not apply.
  return {
    target,
    operation: write.operation,
    kind,
    resource,
    subresource,
    namespace: resource.resource === 'namespaces' && resource.group === '' ? name : namespace,
    name,
    object: write.object,
    oldObject: write.oldObject,
    options,
    user: write.user,
    dryRun: write.dryRun,
    warn: write.warn,
    annotate,
    deadline,
    explain,
    waited,
    traceParent,
  };
}
