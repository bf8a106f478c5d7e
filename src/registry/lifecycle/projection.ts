import { encodeJson, utf8Bytes } from '../../codec/json/index.ts';
import { fieldElement, fromScaleEntries, type ScaledKind, toScaleEntries } from '../../merge/managed-fields/index.ts';
import type { ObjectMeta, ResourceObject } from '../../meta/object.ts';
import { invalid, notFound } from '../../meta/status-error.ts';
import { Findings } from '../../schema/normalize/index.ts';
import type { StoredObject } from '../../store/index.ts';
import { type DecodableKind, subresourceKind } from '../decodable-kind.ts';
import { decodeObject } from '../decode-object.ts';
import { type AppliedChange, FieldOwnership, type FieldWriter } from '../field-ownership.ts';
import { checkNameMatch, checkNamespaceMatch } from '../match-request.ts';
import type { Verbs, WriteOptions, WriteResult } from '../resource.ts';
import type { ResourceContext } from '../resource-context.ts';
import type { Projection, SubresourceDefinition } from '../resource-definition.ts';
import { canonicalResult, readConfiguration, reportRepeated } from './apply.ts';
import { type ApplyPatch, patchOf } from './patch.ts';
import { get } from './read.ts';
import { type ReplaceRequest, replace } from './replace.ts';

/** The verbs of a subresource whose kind is another view of the object. */
export function projectionVerbs(
  context: ResourceContext,
  { name: subresource, kind, groupVersion }: SubresourceDefinition,
  projection: Projection,
): Verbs {
  const { group, version } = groupVersion ?? context.definition;
  const decodable = subresourceKind({ group, version, kind, schema: projection.schema, knownKind: context.knownKind });
  const projected = new ProjectedObject(context, { subresource, projection, kind: decodable });
  const { ownership } = projected;
  return {
    get: (request) => get(context, request, (stored) => projected.document(stored)),
    async update(request) {
      const { object: next, sentEntries } = await decodeObject(decodable, request);
      const writer = { manager: request.fieldManager, subresource };
      return projected.write(request, (live) =>
        ownership.tracked({ live, next: { ...next, status: live.status }, sentEntries }, writer),
      );
    },
    async patch(request) {
      const patch = patchOf(decodable, request);
      const writer = { manager: request.fieldManager, subresource };
      return projected.write(request, (live) => projected.patched(live, patch, writer));
    },
    async apply(request) {
      const { applied: sent, duplicates } = await readConfiguration(decodable, request);
      const { status: _status, ...applied } = sent;
      const writer = { manager: request.fieldManager, subresource };
      const { force } = request;
      const report = (): void => reportRepeated(duplicates, request);
      return projected.write({ ...request, needsManagedFields: true }, (live) =>
        projected.applied({ live, applied, force }, { writer, report }),
      );
    },
  };
}

type ViewWrite = WriteOptions & { readonly name: string; readonly needsManagedFields?: boolean };

class ProjectedObject {
  readonly kind: DecodableKind;
  readonly ownership: FieldOwnership;
  readonly #context: ResourceContext;
  readonly #subresource: string;
  readonly #projection: Projection;

  constructor(
    context: ResourceContext,
    { subresource, projection, kind }: { subresource: string; projection: Projection; kind: DecodableKind },
  ) {
    this.kind = kind;
    this.#context = context;
    this.#subresource = subresource;
    this.#projection = projection;
    const { group, kind: resource, schema } = kind.definition;
    this.ownership = new FieldOwnership({ group, resource, schema, apiVersion: kind.apiVersion, hasStatus: false });
  }

  /** Maps the field of the view to that of the object in each version, for field ownership. */
  get #owned(): ScaledKind {
    const { apiVersion, versions } = this.#context;
    const pathIn = ({ definition }: ResourceContext) =>
      definition.subresources
        .find(({ name }) => name === this.#subresource)
        ?.projection?.field.map((name) => fieldElement(name));
    return { apiVersion, replicas: new Map(versions.all.map((version) => [version.apiVersion, pathIn(version)])) };
  }

  document(stored: StoredObject): Buffer {
    return this.#documentOf(this.#context.codec.read(stored));
  }

  patched(live: ResourceObject, patch: ApplyPatch, writer: FieldWriter): ResourceObject {
    const { object: next, sentEntries } = patch(live);
    return this.ownership.tracked({ live, next: { ...next, status: live.status }, sentEntries }, writer);
  }

  /** `report` is called when the configuration is merged. */
  applied(change: AppliedChange, { writer, report }: { writer: FieldWriter; report: () => void }): ResourceObject {
    const result = this.ownership.applied(change, writer);
    const { object } = canonicalResult(this.kind, result, change.applied);
    report();
    return object;
  }

  /** `sentFor` computes the desired view from the current one. Both carry managed fields. */
  async write(request: ViewWrite, sentFor: (view: ResourceObject) => ResourceObject): Promise<WriteResult> {
    const { namespace, name, user, dryRun, warn, admissionContext, needsManagedFields = false } = request;
    const checkedView = (oldObject: ResourceObject) =>
      this.#checked(sentFor(this.#ownedView(oldObject, this.#projection.changedView)), request);
    const replacement: ReplaceRequest = {
      namespace,
      name,
      user,
      dryRun,
      warn,
      admissionContext,
      endpoint: 'main',
      needsManagedFields,
      sentFor: checkedView,
      view: {
        subresource: this.#subresource,
        of: (object) => this.#ownedView(object, this.#projection.admittedView),
        applied: (oldObject, sent) => this.#replaced(oldObject, sent),
      },
    };
    const bytes = await replace(this.#context, replacement, {
      document: (stored) => this.document(stored),
      documentOf: (object) => this.#documentOf(object),
      documentOfDryRun: (object) => this.#documentOf(object),
    });
    if (bytes === undefined) throw notFound(this.#context.groupResource, name);
    return { bytes, created: false };
  }

  #checked(sent: ResourceObject, { name, namespace }: ViewWrite): ResourceObject {
    checkNameMatch(sent, name);
    checkNamespaceMatch(this.#context, sent, namespace);
    return sent;
  }

  #replaced(oldObject: ResourceObject, sent: ResourceObject): ResourceObject {
    const errors = this.#projection.validate(sent);
    const { group, kind } = this.kind.definition;
    if (errors.length > 0) throw invalid({ group, kind }, oldObject.metadata.name ?? '', errors);
    const { resourceVersion, uid, managedFields } = sent.metadata;
    const next = structuredClone(oldObject);
    next.metadata = {
      ...next.metadata,
      ...(resourceVersion !== undefined && { resourceVersion }),
      ...(uid && { uid }),
    };
    this.#projection.apply(next, sent);
    const entries = fromScaleEntries(oldObject.metadata.managedFields, managedFields, this.#owned);
    return this.#context.canonical({ ...next, metadata: { ...next.metadata, managedFields: entries } as ObjectMeta });
  }

  #ownedView(object: ResourceObject, show?: Projection['view']): ResourceObject {
    const view = this.#view(object, show);
    const managedFields = toScaleEntries(object.metadata.managedFields, this.#owned);
    return { ...view, metadata: { ...view.metadata, managedFields } as ObjectMeta };
  }

  #view(object: ResourceObject, show = this.#projection.view): ResourceObject {
    const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
    const metadata = { name, namespace, uid, resourceVersion, creationTimestamp } as ObjectMeta;
    return this.kind.compiled.normalize({ ...show(object), metadata }, new Findings());
  }

  #documentOf(object: ResourceObject): Buffer {
    return utf8Bytes(`${encodeJson(this.#view(object))}\n`);
  }
}
