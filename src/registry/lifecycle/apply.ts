import { decodeCbor } from '../../codec/cbor/index.ts';
import { decodeYamlInTurns } from '../../codec/yaml/index.ts';
import { restoreIntegers, restoreProblem } from '../../merge/index.ts';
import { conversionProblem } from '../../merge/managed-fields/index.ts';
import { BoundsError } from '../../meta/bounds-error.ts';
import { DecodeError } from '../../meta/decode-error.ts';
import { goPrint } from '../../meta/go-value.ts';
import { parseApiVersion } from '../../meta/group-version.ts';
import { isJsonObject } from '../../meta/json-object.ts';
import type { JsonSource } from '../../meta/json-source.ts';
import type { MaybePromise } from '../../meta/maybe-promise.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { parseResourceVersion } from '../../meta/resource-version.ts';
import { badRequest, conflict, notFound, tooLargeBody, unclassified } from '../../meta/status-error.ts';
import { Findings } from '../../schema/normalize/index.ts';
import type { DecodableKind } from '../decodable-kind.ts';
import type { DecodedObject } from '../decode-object.ts';
import type { FieldWriter } from '../field-ownership.ts';
import { isCustom } from '../kind-mismatch.ts';
import { checkNameMatch, checkNamespaceMatch } from '../match-request.ts';
import type { ApplyRequest, WriteResult } from '../resource.ts';
import type { ResourceContext } from '../resource-context.ts';
import { createDecoded, isAlreadyExists } from './create.ts';
import { subresourceOf, type WriteEndpoint } from './prepare-update.ts';
import { replace } from './replace.ts';

/** How often a concurrent create and delete between two reads of the object is tolerated. */
const maxTries = 8;

/**
 * Server-side apply: creates an absent object from the configuration, or merges the configuration into an existing one.
 */
export async function applyConfiguration(
  context: ResourceContext,
  request: ApplyRequest,
  endpoint: WriteEndpoint,
): Promise<WriteResult> {
  const configuration = new Configuration(context, {
    request,
    endpoint,
    ...(await readConfiguration(context, request)),
  });
  const { namespace, name, user, dryRun, warn, admissionContext } = request;
  const sentFor = (oldObject: ResourceObject) => configuration.sentFor(oldObject);
  const target = { namespace, name, user, dryRun, endpoint, warn, admissionContext };
  for (let tries = 1; ; tries++) {
    const bytes = await replace(context, {
      ...{ ...target, sentFor },
      uidIsField: true,
      needsManagedFields: true,
    });
    if (bytes !== undefined) return { bytes, created: false };
    if (endpoint !== 'main') throw notFound(context.groupResource, name);
    try {
      return await createDecoded(context, await configuration.asNew(), { ...request, needsManagedFields: true });
    } catch (error) {
      // Another writer created the object first: merge with it.
      if (!isAlreadyExists(error) || tries === maxTries) throw error;
    }
  }
}

interface AppliedConfiguration {
  /** The configuration as sent: fields that it omits are not owned. */
  readonly applied: ResourceObject;
  /** One message for each repeated key. */
  readonly duplicates: readonly string[];
}

interface Application extends AppliedConfiguration {
  readonly request: ApplyRequest;
  readonly endpoint: WriteEndpoint;
}

/** The applied configuration of one request. */
class Configuration {
  readonly #context: ResourceContext;
  readonly #request: ApplyRequest;
  readonly #applied: ResourceObject;
  readonly #duplicates: readonly string[];
  readonly #writer: FieldWriter;

  constructor(context: ResourceContext, { request, endpoint, applied, duplicates }: Application) {
    this.#context = context;
    this.#request = request;
    this.#applied = applied;
    this.#duplicates = duplicates;
    this.#writer = { manager: request.fieldManager, subresource: subresourceOf(endpoint) };
  }

  sentFor(live: ResourceObject): ResourceObject {
    return this.#resultFor(live).object;
  }

  /** The desired object in canonical form with defaults. The live object itself when nothing changes. */
  #resultFor(live: ResourceObject | undefined): DecodedObject {
    const { force } = this.#request;
    const change = { live, applied: this.#applied, force };
    const merged = this.#context.ownership.applied(change, this.#writer);
    return this.#canonical(live, merged);
  }

  #canonical(live: ResourceObject | undefined, result: ResourceObject): DecodedObject {
    const { name, namespace } = this.#request;
    const decoded =
      result === live
        ? { object: live, needsSchemaCheck: false }
        : canonicalResult(this.#context, result, this.#applied);
    reportRepeated(this.#duplicates, this.#request);
    checkNameMatch(decoded.object, name);
    checkNamespaceMatch(this.#context, decoded.object, namespace);
    return decoded;
  }

  async asNew(): Promise<DecodedObject> {
    checkMeantNew(this.#context, this.#applied, this.#request.name);
    await this.#request.authorizeCreate();
    const decoded = this.#resultFor(undefined);
    // A dry run returns it.
    if (!this.#request.dryRun) delete decoded.object.metadata.resourceVersion;
    return decoded;
  }
}

/** Throws a 400 when the body is not a valid configuration. */
export async function readConfiguration(kind: DecodableKind, request: ApplyRequest): Promise<AppliedConfiguration> {
  const document = await decoded(request);
  const { apiVersion, kind: stated, metadata, ...rest } = document.value;
  if (apiVersion !== kind.apiVersion || stated !== kind.definition.kind) {
    throw badRequest(`invalid object type: ${printKind(apiVersion, stated)}`);
  }
  checkRepeated(kind, document);
  const meta = metadata ?? {};
  if (!isJsonObject(meta)) throw badRequest(`.metadata: expected map, got &{${goPrint(meta)}}`);
  const { managedFields, ...ownMeta } = meta;
  if (managedFields !== undefined && managedFields !== null) throw badRequest('metadata.managedFields must be nil');
  const applied = { apiVersion, kind: stated, metadata: ownMeta, ...rest };
  return { applied, duplicates: document.duplicates };
}

interface DecodedConfiguration {
  readonly value: Readonly<Record<string, unknown>>;
  readonly duplicates: readonly string[];
  readonly source: JsonSource | undefined;
}

async function decoded({ body, encoding }: ApplyRequest): Promise<DecodedConfiguration> {
  const { name, read } = readers[encoding === 'cbor' ? 'cbor' : 'yaml'];
  let document: ReadConfiguration;
  try {
    document = await read(body);
  } catch (error) {
    if (error instanceof BoundsError) throw tooLargeBody(error.message);
    if (!(error instanceof DecodeError)) throw error;
    throw badRequest(`error decoding ${name}: ${error.message}`, { cause: error });
  }
  const { value } = document;
  if (value === null || isJsonObject(value)) return { ...document, value: value ?? {} };
  const type = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  const cause = `json: cannot unmarshal ${type} into Go value of type map[string]interface {}`;
  throw badRequest(`error decoding ${name}: error unmarshaling JSON: while decoding JSON: ${cause}`);
}

/** Repeated keys may be allowed, but all of their values must have the right type. */
function checkRepeated({ compiled }: DecodableKind, { value, duplicates, source }: DecodedConfiguration): void {
  if (duplicates.length === 0) return;
  try {
    compiled.normalize(value, new Findings(source), { defaults: false });
  } catch (error) {
    throw error instanceof DecodeError ? badRequest(error.message, { cause: error }) : error;
  }
}

/** To be called when the configuration is merged: conflicts and errors of the merge are reported without them. */
export function reportRepeated(duplicates: readonly string[], { fieldValidation, warn }: ApplyRequest): void {
  if (duplicates.length === 0) return;
  if (fieldValidation === 'Strict') {
    const problem = ['yaml: unmarshal errors:', ...duplicates].join('\n  ');
    throw badRequest(`error strict decoding YAML: ${conversion}${problem}`);
  }
  if (fieldValidation === 'Warn') duplicates.forEach(warn);
}

const conversion = 'error converting YAML to JSON: ';

interface ReadConfiguration {
  readonly value: unknown;
  readonly duplicates: readonly string[];
  readonly source: JsonSource | undefined;
}

interface ConfigurationReader {
  readonly name: string;
  readonly read: (body: Buffer) => MaybePromise<ReadConfiguration>;
}

const readers: Readonly<Record<'yaml' | 'cbor', ConfigurationReader>> = {
  yaml: { name: 'YAML', read: readYaml },
  cbor: { name: 'CBOR', read: (body) => ({ ...decodeCbor(body), duplicates: [] }) },
};

async function readYaml(body: Buffer): Promise<ReadConfiguration> {
  try {
    // The result is sorted when it is brought into canonical form.
    return await decodeYamlInTurns(body, { sortsKeys: false });
  } catch (error) {
    if (error instanceof BoundsError) throw error;
    throw error instanceof DecodeError ? new DecodeError(`${conversion}${error.message}`, { cause: error }) : error;
  }
}

function printKind(apiVersion: unknown, kind: unknown): string {
  const { group, version } = parseApiVersion(typeof apiVersion === 'string' ? apiVersion : '');
  return `${group}/${version}, Kind=${typeof kind === 'string' ? kind : ''}`;
}

/** Applies defaults again: fields that the applier no longer sets may have one. */
export function canonicalResult(
  kind: DecodableKind,
  result: ResourceObject,
  /** The object that errors refer to. By default the result. */
  applied = result,
): DecodedObject {
  const findings = new Findings();
  try {
    const object = normalized(kind, { result, applied }, findings);
    kind.definition.rules.setDefaults?.(object, kind.clock);
    return { object, needsSchemaCheck: findings.needsSchemaCheck };
  } catch (error) {
    if (error instanceof BoundsError) throw tooLargeBody(error.message);
    throw error instanceof DecodeError ? unclassified(error.message, { cause: error }) : error;
  }
}

interface Merged {
  readonly result: ResourceObject;
  readonly applied: ResourceObject;
}

/**
 * The configuration has been checked to have the right types. Remaining errors are integers that are too large, and
 * invalid texts of types such as quantities.
 */
function normalized(kind: DecodableKind, { result, applied }: Merged, findings: Findings): ResourceObject {
  const { compiled, definition } = kind;
  const options = { nulls: 'keep', sortsKeys: true } as const;
  try {
    return compiled.normalize(result, findings, options);
  } catch (error) {
    if (!(error instanceof DecodeError) || error instanceof BoundsError) throw error;
    const problem = isCustom(kind) ? undefined : restoreProblem(definition.schema, result);
    if (problem !== undefined) throw new DecodeError(conversionProblem(applied, problem), { cause: error });
    return compiled.normalize(restoreIntegers(definition.schema, result), findings, options);
  }
}

/** A uid or resourceVersion refers to an existing object, so an apply that states one must not recreate it. */
function checkMeantNew(context: ResourceContext, { metadata }: ResourceObject, name: string): void {
  const { uid, resourceVersion } = metadata;
  if (typeof uid === 'string' && uid !== '') {
    const mismatch = `the provided object specified uid ${uid}, and no existing object was found`;
    throw conflict(context.groupResource, name, `uid mismatch: ${mismatch}`);
  }
  // Zero means any version, including none.
  if (typeof resourceVersion !== 'string' || resourceVersion === '') return;
  const isExisting = parseResourceVersion(resourceVersion) > 0;
  if (isExisting && context.compatibility.appliedVersionMeansExisting) throw notFound(context.groupResource, name);
}
