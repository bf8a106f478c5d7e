import type { AdmissionTarget } from '../../admission/index.ts';
import { encodeJson } from '../../codec/json/index.ts';
import { apiVersionOf } from '../../meta/group-version.ts';
import type { MaybePromise } from '../../meta/maybe-promise.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { badRequest, invalid } from '../../meta/status-error.ts';
import { virtualTarget } from '../../registry/admit-write.ts';
import type { DecodableKind } from '../../registry/decodable-kind.ts';
import { FieldOwnership } from '../../registry/field-ownership.ts';
import { decodeObject, type ResourceDefinition, subresourceKind, type Verbs } from '../../registry/index.ts';
import { orderedMeta } from '../../registry/ordered-meta.ts';
import type { CreateRequest, WriteResult } from '../../registry/resource.ts';
import { builtInKind } from '../../resources/index.ts';
import { Findings } from '../../schema/normalize/index.ts';
import { admitAll, creationRequest, type VirtualAdmission } from '../virtual-admission.ts';

/** The content of a completed review. Kind and apiVersion are added. */
export interface ReviewResult {
  readonly metadata: object;
  readonly spec?: unknown;
  readonly status: object;
}

export interface ReviewOptions {
  readonly definition: ResourceDefinition;
  /** Other apiVersions that a body may have. */
  readonly alsoRead?: readonly string[];
}

/** A kind of review: decodes requests and encodes results. */
export class ReviewType {
  readonly #definition: ResourceDefinition;
  readonly #kind: DecodableKind;
  readonly #ownership: FieldOwnership;
  readonly #target: AdmissionTarget;

  constructor({ definition, alsoRead = [] }: ReviewOptions) {
    const { group, version, kind, resource, schema } = definition;
    this.#definition = definition;
    this.#kind = subresourceKind({ group, version, kind, schema, knownKind: builtInKind, alsoRead });
    const { namespaced } = definition;
    this.#target = virtualTarget(this.#kind, { resource: { group, version, resource }, subresource: '', namespaced });
    const apiVersion = apiVersionOf(definition);
    this.#ownership = new FieldOwnership({ group, resource, schema, apiVersion, hasStatus: false });
  }

  /** Decodes a review, adds managed fields and runs admission. Rejects with a StatusError for an invalid review. */
  async read(request: CreateRequest, admission: VirtualAdmission): Promise<ResourceObject> {
    const { object, sentEntries } = await decodeObject(this.#kind, request);
    this.#placeInNamespace(object, request.namespace);
    withoutSystemFields(object);
    object.metadata = orderedMeta(object.metadata);
    const writer = { manager: request.fieldManager, subresource: '' };
    const owned = this.#ownership.tracked({ live: undefined, next: object, sentEntries }, writer);
    const review = await admission.mutate(creationRequest(this.#target, owned, { ...request, name: nameOf(owned) }));
    const { group, rules } = this.#definition;
    const errors = rules.validate?.(review) ?? [];
    // kube-apiserver reports these errors without the kind.
    if (errors.length > 0) throw invalid({ group, kind: '' }, '', errors);
    await admission.validate(creationRequest(this.#target, review, { ...request, name: nameOf(review) }));
    return review;
  }

  write(result: ReviewResult): WriteResult {
    const document = this.#kind.compiled.normalize(result, new Findings());
    withEmptyLists(document.status as Record<string, unknown>);
    return { bytes: Buffer.from(`${encodeJson(document)}\n`), created: true };
  }

  #placeInNamespace({ metadata }: ResourceObject, namespace: string): void {
    if (!this.#definition.namespaced) metadata.namespace = undefined;
    else metadata.namespace ||= namespace;
    if (this.#definition.namespaced && metadata.namespace !== namespace) {
      throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
    }
  }
}

const nameOf = ({ metadata }: ResourceObject): string => metadata.name ?? '';

/** Normalisation drops empty lists, but responses of kube-apiserver contain them. */
function withEmptyLists(status: Record<string, unknown>): void {
  for (const field of Object.keys(status)) if (status[field] === null) status[field] = [];
}

/** Clears fields that only the server sets, and only on stored objects. */
function withoutSystemFields({ metadata }: ResourceObject): void {
  metadata.uid = undefined;
  metadata.creationTimestamp = undefined;
  metadata.deletionTimestamp = undefined;
  metadata.deletionGracePeriodSeconds = undefined;
  metadata.selfLink = undefined;
}

/** The verbs of a review resource: create returns the completed review. Nothing is stored, with or without dry run. */
export function reviewVerbs(
  type: ReviewType,
  admission: VirtualAdmission | undefined,
  evaluate: (review: ResourceObject, request: CreateRequest) => MaybePromise<ReviewResult>,
): Verbs {
  return {
    async create(request) {
      return type.write(await evaluate(await type.read(request, admission ?? admitAll), request));
    },
  };
}
