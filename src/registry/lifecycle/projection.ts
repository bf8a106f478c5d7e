import { decodeJson, encodeJson } from '../../codec/json/index.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { invalid, notFound } from '../../meta/status-error.ts';
import { Findings } from '../../schema/normalize/index.ts';
import { type DecodableKind, subresourceKind } from '../decodable-kind.ts';
import { decodeObject } from '../decode-object.ts';
import { checkNameMatch, checkNamespaceMatch } from '../match-request.ts';
import type { ItemRequest, Verbs, WriteOptions, WriteResult } from '../resource.ts';
import type { ResourceContext } from '../resource-context.ts';
import type { Projection, SubresourceDefinition } from '../resource-definition.ts';
import { patchOf } from './patch.ts';
import { replace } from './replace.ts';

/** The verbs of a subresource whose kind is another view of the object. */
export function projectionVerbs(
  context: ResourceContext,
  { kind, groupVersion }: SubresourceDefinition,
  projection: Projection,
): Verbs {
  const { group, version } = groupVersion ?? context.definition;
  const projected = new ProjectedObject(
    context,
    projection,
    subresourceKind({ group, version, kind, schema: projection.schema, isKind: context.isKind }),
  );
  return {
    get: (request) => projected.get(request),
    update(request) {
      const sent = decodeObject(projected.kind, request).object;
      checkNameMatch(sent, request.name);
      checkNamespaceMatch(context, sent, request.namespace);
      return projected.write(request, () => sent);
    },
    patch(request) {
      const apply = patchOf(projected.kind, request);
      return projected.write(request, (view) => {
        const sent = apply(view);
        checkNameMatch(sent, request.name);
        checkNamespaceMatch(context, sent, request.namespace);
        return sent;
      });
    },
  };
}

type WriteRequest = WriteOptions & { readonly name: string };

class ProjectedObject {
  readonly kind: DecodableKind;
  readonly #context: ResourceContext;
  readonly #projection: Projection;

  constructor(context: ResourceContext, projection: Projection, kind: DecodableKind) {
    this.kind = kind;
    this.#context = context;
    this.#projection = projection;
  }

  async get({ namespace, name }: ItemRequest): Promise<Buffer> {
    const found = await this.#context.store.get(this.#context.key(namespace, name));
    if (found === undefined) throw notFound(this.#context.groupResource, name);
    return this.#document(this.#context.read(found));
  }

  /** `sentFor` makes what the client wants out of the present view. */
  async write(request: WriteRequest, sentFor: (view: ResourceObject) => ResourceObject): Promise<WriteResult> {
    const { namespace, name, dryRun, warn } = request;
    const projection = this.#projection;
    const bytes = await replace(this.#context, {
      namespace,
      name,
      dryRun,
      warn,
      part: 'main',
      sentFor: (stored) => {
        const sent = sentFor(this.#view(stored));
        const errors = projection.validate(sent);
        const { group, kind } = this.kind.definition;
        if (errors.length > 0) throw invalid({ group, kind }, name, errors);
        const { resourceVersion, uid } = sent.metadata;
        const next = structuredClone(stored);
        next.metadata = {
          ...next.metadata,
          ...(resourceVersion !== undefined && { resourceVersion }),
          ...(uid && { uid }),
        };
        projection.apply(next, sent);
        return this.#context.canonical(next);
      },
    });
    if (bytes === undefined) throw notFound(this.#context.groupResource, name);
    return { bytes: this.#document(decodeJson(bytes).value as ResourceObject), created: false };
  }

  #view(object: ResourceObject): ResourceObject {
    const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
    const metadata = { name, namespace, uid, resourceVersion, creationTimestamp } as ResourceObject['metadata'];
    return this.kind.compiled.normalize({ ...this.#projection.view(object), metadata }, new Findings());
  }

  #document(object: ResourceObject): Buffer {
    return Buffer.from(`${encodeJson(this.#view(object))}\n`);
  }
}
