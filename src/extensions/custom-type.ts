import { isDeepStrictEqual } from 'node:util';
import type { ResourceObject } from '../meta/object.ts';
import type { TableColumns } from '../meta/table-columns.ts';
import { compareVersions } from '../registry/compare-versions.ts';
import type { CustomDefinition, ResourceDefinition, Verb, VersionConverter } from '../registry/resource-definition.ts';
import type { DynamicType } from '../registry/resource-set.ts';
import type {
  CustomResourceConversion,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionVersion,
} from '../resources/apiextensions/custom-resource-definition-types.ts';
import { specOf, statusOf } from '../resources/apiextensions/definition-parts.ts';
import type { StructSchema } from '../schema/model.ts';
import type { ExpressionMetrics } from '../schema/rules/index.ts';
import { customSchema } from '../schema/structural/index.ts';
import type { JsonSchema } from '../schema/structural/json-schema.ts';
import { customColumns } from './custom-columns.ts';
import { customRules } from './custom-rules.ts';
import { customScale } from './custom-scale.ts';
import { isConditionTrue } from './definition-conditions.ts';
import { schemaIdentity } from './parse-definition.ts';

const verbs: readonly Verb[] = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const terminatingVerbs: readonly Verb[] = ['delete', 'deletecollection', 'get', 'list', 'watch'];

export type MakeConverter = (
  conversion: CustomResourceConversion,
  type: { readonly group: string; readonly kind: string },
) => VersionConverter;

interface KnownVersion {
  /** The inputs of the definition of the version. When they change, watches end. */
  readonly meaning: object;
  /**
   * The schemas of all versions, by name. Objects are brought into the form of the version in which they are stored
   * before they are converted to this one.
   */
  schemas: Schemas;
  readonly definition: ResourceDefinition;
}

type Schemas = ReadonlyMap<string, unknown>;

interface DefinitionState {
  readonly object: ResourceObject;
  readonly schemas: Schemas;
  readonly storageVersion: string;
  readonly converter: VersionConverter;
}

/** One custom resource, in the states that its definition takes. */
export class CustomType {
  readonly group: string;
  readonly resource: string;
  readonly #makeConverter: MakeConverter;
  readonly #metrics: ExpressionMetrics | undefined;
  readonly #versions = new Map<string, KnownVersion>();
  #converter: { readonly source: string; readonly converter: VersionConverter } | undefined;
  /** The parts of the definition that may change without ending watches. */
  #names: CustomResourceDefinitionNames = {};
  #columns = new Map<string, CustomResourceDefinitionVersion>();
  #isTerminating = false;

  constructor(
    { group, resource }: { group: string; resource: string },
    makeConverter: MakeConverter,
    metrics?: ExpressionMetrics,
  ) {
    this.group = group;
    this.resource = resource;
    this.#makeConverter = makeConverter;
    this.#metrics = metrics;
  }

  /** Returns the type that this state of its definition describes. */
  update(object: ResourceObject): DynamicType {
    const { versions, conversion = {} } = specOf(object);
    this.#names = statusOf(object).acceptedNames ?? {};
    // Objects can be created again once the cleanup is over, while others hold the definition.
    this.#isTerminating = isConditionTrue(object, 'Terminating');
    const all = versions ?? [];
    for (const version of all) this.#columns.set(version.name ?? '', version);
    const storageVersion = all.find(({ storage }) => storage === true)?.name ?? '';
    const converter = this.#converterOf(conversion);
    const schemas = new Map(all.map((version) => [version.name ?? '', schemaIdentity(version)]));
    const definitionOf = (version: CustomResourceDefinitionVersion): ResourceDefinition =>
      this.#definition(version, { object, schemas, storageVersion, converter });
    const type = {
      group: this.group,
      resource: this.resource,
      definitions: all.filter(({ served }) => served === true).map(definitionOf),
      unserved: all.filter(({ served }) => served !== true).map(definitionOf),
    };
    const names = new Set(all.map(({ name = '' }) => name));
    for (const name of this.#versions.keys()) if (!names.has(name)) this.#versions.delete(name);
    return type;
  }

  #converterOf(conversion: CustomResourceConversion): VersionConverter {
    const source = JSON.stringify(conversion);
    if (this.#converter?.source !== source) {
      const type = { group: this.group, kind: this.#names.kind ?? '' };
      this.#converter = { source, converter: this.#makeConverter(conversion, type) };
    }
    return this.#converter.converter;
  }

  #definition(
    version: CustomResourceDefinitionVersion,
    { object, schemas, storageVersion, converter }: DefinitionState,
  ): ResourceDefinition {
    const { scope, versions } = specOf(object);
    const { name = '', subresources, selectableFields } = version;
    const { kind = '', listKind } = this.#names;
    const deprecation = deprecationOf(version, { group: this.group, kind, versions: versions ?? [] });
    const published = { schema: schemas.get(name), subresources, selectableFields, deprecation };
    const meaning = { ...published, kind, listKind, scope, storageVersion, conversion: this.#converter!.source };
    const known = this.#versions.get(name);
    if (known !== undefined && isDeepStrictEqual(known.meaning, meaning) && haveSame(known.schemas, schemas)) {
      known.schemas = new Map([...known.schemas, ...schemas]);
      return known.definition;
    }
    const namespaced = scope === 'Namespaced';
    const definition = this.#newDefinition(version, { namespaced, deprecation, storageVersion, converter });
    this.#versions.set(name, { meaning, schemas, definition });
    return definition;
  }

  #newDefinition(
    version: CustomResourceDefinitionVersion,
    {
      namespaced,
      deprecation,
      storageVersion,
      converter,
    }: {
      namespaced: boolean;
      deprecation: string | undefined;
      storageVersion: string;
      converter: VersionConverter;
    },
  ): CustomDefinition {
    const { group, resource } = this;
    const { name = '', schema: validation, subresources } = version;
    const { kind = '', listKind = `${kind}List` } = this.#names;
    const source = (): JsonSchema => validation?.openAPIV3Schema ?? {};
    let converted: StructSchema | undefined;
    const schema = (): StructSchema => {
      converted ??= customSchema(source(), { group, version: name, kind });
      return converted;
    };
    const isTerminating = (): boolean => this.#isTerminating;
    const names = (): CustomResourceDefinitionNames => this.#names;
    const columns = (): CustomResourceDefinitionVersion | undefined => this.#columns.get(name);
    return {
      origin: 'custom',
      group,
      version: name,
      resource,
      kind,
      listKind,
      namespaced,
      get schema() {
        return schema();
      },
      get published() {
        return source();
      },
      get singular() {
        return names().singular ?? '';
      },
      get shortNames() {
        return names().shortNames ?? [];
      },
      get categories() {
        return names().categories ?? [];
      },
      get verbs() {
        return isTerminating() ? terminatingVerbs : verbs;
      },
      columns: () => columnsOf(columns()?.additionalPrinterColumns ?? noColumns),
      subresources: [
        ...(subresources?.status === undefined ? [] : [{ name: 'status', kind, verbs: statusVerbs }]),
        ...(subresources?.scale === undefined ? [] : [customScale(subresources.scale)]),
      ],
      rules: customRules({ group, resource, version, schema, deprecation, isTerminating, metrics: this.#metrics }),
      storage: { group, version: storageVersion, kind, keyPrefix: `${group}/${resource}`, converter },
    };
  }
}

/** Versions that are added or removed do not matter: objects are not stored in them. */
function haveSame(before: Schemas, now: Schemas): boolean {
  return [...before].every(([name, schema]) => !now.has(name) || isDeepStrictEqual(schema, now.get(name)));
}

/** The default warning names the version to use instead: the newest one that is newer, served and not deprecated. */
function deprecationOf(
  { name = '', deprecated, deprecationWarning }: CustomResourceDefinitionVersion,
  { group, kind, versions }: { group: string; kind: string; versions: readonly CustomResourceDefinitionVersion[] },
): string | undefined {
  if (!deprecated) return undefined;
  if (deprecationWarning !== undefined) return deprecationWarning;
  const [successor] = versions
    .filter((other) => other.served && !other.deprecated)
    .map((other) => other.name ?? '')
    .filter((other) => compareVersions(other, name) < 0)
    .sort(compareVersions);
  const warning = `${group}/${name} ${kind} is deprecated`;
  return successor === undefined ? warning : `${warning}; use ${group}/${successor} ${kind}`;
}

const noColumns: NonNullable<CustomResourceDefinitionVersion['additionalPrinterColumns']> = [];
const compiledColumns = new WeakMap<object, TableColumns>();

function columnsOf(source: NonNullable<CustomResourceDefinitionVersion['additionalPrinterColumns']>): TableColumns {
  const known = compiledColumns.get(source) ?? customColumns(source);
  compiledColumns.set(source, known);
  return known;
}

const statusVerbs: readonly Verb[] = ['get', 'patch', 'update'];
