import { encodeJson } from '../../../codec/json/index.ts';
import { apiVersionOf } from '../../../meta/group-version.ts';
import type { MaybePromise } from '../../../meta/maybe-promise.ts';
import type { ResourceObject } from '../../../meta/object.ts';
import { badRequest, invalid } from '../../../meta/status-error.ts';
import type { DecodableKind } from '../../../registry/decodable-kind.ts';
import { FieldOwnership } from '../../../registry/field-ownership.ts';
import { decodeObjectInTurns, type ResourceDefinition, subresourceKind, type Verbs } from '../../../registry/index.ts';
import type { CreateRequest, WriteResult } from '../../../registry/resource.ts';
import { isBuiltInKind } from '../../../resources/index.ts';
import { Findings } from '../../../schema/normalize/index.ts';

/** What is told in an answer. Kind and version are added. */
export interface Answer {
  readonly metadata: object;
  readonly spec?: unknown;
  readonly status: object;
}

export interface ReviewOptions {
  readonly definition: ResourceDefinition;
  /** Other versions that a body may say it is of. */
  readonly alsoRead?: readonly string[];
}

/** One kind of question: how it is read from a request, and how its answer is written. */
export class ReviewType {
  readonly #definition: ResourceDefinition;
  readonly #kind: DecodableKind;
  readonly #ownership: FieldOwnership;

  constructor({ definition, alsoRead = [] }: ReviewOptions) {
    const { group, version, kind, resource, schema } = definition;
    this.#definition = definition;
    this.#kind = subresourceKind({ group, version, kind, schema, isKind: isBuiltInKind, alsoRead });
    const apiVersion = apiVersionOf(definition);
    this.#ownership = new FieldOwnership({ group, resource, schema, apiVersion, hasStatus: false });
  }

  /** The question, with the owners of its fields. Throws what is wrong with it. */
  async read(request: CreateRequest): Promise<ResourceObject> {
    const { object, sentEntries } = await decodeObjectInTurns(this.#kind, request);
    this.#placeInNamespace(object, request.namespace);
    withoutSystemFields(object);
    const writer = { manager: request.fieldManager, subresource: '' };
    const review = this.#ownership.tracked({ live: undefined, next: object, sentEntries }, writer);
    const { group, rules } = this.#definition;
    const errors = rules.validate?.(review) ?? [];
    // kube-apiserver does not know the kind any more when it names what is wrong.
    if (errors.length > 0) throw invalid({ group, kind: '' }, '', errors);
    return review;
  }

  write(answer: Answer): WriteResult {
    const document = this.#kind.compiled.normalize(answer, new Findings());
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

/** In the canonical form of what is stored no list is empty. Here it was made, and is told. */
function withEmptyLists(status: Record<string, unknown>): void {
  for (const field of Object.keys(status)) if (status[field] === null) status[field] = [];
}

/** What only the server sets, and does not set on what it does not keep. */
function withoutSystemFields({ metadata }: ResourceObject): void {
  metadata.uid = undefined;
  metadata.creationTimestamp = undefined;
  metadata.deletionTimestamp = undefined;
  metadata.deletionGracePeriodSeconds = undefined;
  metadata.selfLink = undefined;
}

/** The verbs of a resource that is a question: to create it is to ask. Nothing is stored, with or without dry run. */
export function reviewVerbs(
  type: ReviewType,
  answer: (review: ResourceObject, request: CreateRequest) => MaybePromise<Answer>,
): Verbs {
  return {
    async create(request) {
      return type.write(await answer(await type.read(request), request));
    },
  };
}
