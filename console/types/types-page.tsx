import { conditionsOf } from '../object/overview.tsx';
import { Icon } from '../shared/icon.tsx';
import { useList } from '../shared/use-list.ts';
import { query, setQuery } from '../state/router.ts';
import { routes } from '../state/routes.ts';
import { conversionState, type Definition, type DefinitionVersion } from './definition.ts';
import { SchemaTree } from './schema-tree.tsx';

const definitionType = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' };

/** Shows the custom resources of the server, and how many of their objects are converted to the stored version. */
export function TypesPage() {
  const { items, isListed, problem } = useList<Definition>('/apis/apiextensions.k8s.io/v1/customresourcedefinitions');
  const text = (query.value.q ?? '').toLowerCase();
  const shown = items.value.filter(({ metadata, spec }) =>
    `${metadata.name} ${spec.names.kind}`.toLowerCase().includes(text),
  );
  return (
    <div class="page">
      <header class="page-header">
        <h1>Custom resources</h1>
        <span class="muted">{items.value.length} definitions</span>
        <span class="spacer" />
        <input
          type="search"
          data-search
          class="filter"
          aria-label="Search"
          placeholder="Search  ( / )"
          value={query.value.q ?? ''}
          onInput={(event) => setQuery({ q: event.currentTarget.value }, { replace: true })}
        />
        <a class="button primary" href={routes.create(definitionType)}>
          <Icon name="plus" />
          Define
        </a>
      </header>
      {problem.value && <p class="empty">{problem.value}</p>}
      {isListed.value && shown.length === 0 && !problem.value && (
        <p class="empty">No custom resource is defined. A definition appears here as soon as it is installed.</p>
      )}
      <div class="overview">
        {shown.map((definition) => (
          <DefinitionCard key={definition.metadata.uid} definition={definition} />
        ))}
      </div>
    </div>
  );
}

function DefinitionCard({ definition }: { definition: Definition }) {
  const { spec, metadata, status } = definition;
  const { group, names, versions } = spec;
  const isEstablished = conditionsOf(status).some(
    ({ type, status: value }) => type === 'Established' && value === 'True',
  );
  const served =
    versions.find(({ served: isServed, storage }) => isServed && storage) ?? versions.find((version) => version.served);
  const type = { group, version: served?.name ?? '', resource: names.plural };
  return (
    <section class="card" aria-label={names.kind}>
      <header class="card-header">
        <h2>
          {names.kind} <span class="muted type-name">{metadata.name}</span>
          <span class={`badge ${isEstablished ? 'badge-good' : 'badge-busy'}`}>
            {isEstablished ? 'served' : 'not served yet'}
          </span>
        </h2>
        <div class="card-actions">
          <a class="button" href={routes.object(definitionType, { name: metadata.name })}>
            Definition
          </a>
          {served && isEstablished && (
            <>
              <a class="button" href={routes.create(type)}>
                Create
              </a>
              <a class="button" href={routes.table(type)}>
                Objects
              </a>
            </>
          )}
        </div>
      </header>
      <p class="muted">
        {spec.scope}; {conversionState(definition)}.
      </p>
      {conditionsOf(status)
        .filter(({ status: value, type: name }) => (value === 'True') !== isGood(name))
        .map(({ type: name, message, reason }) => (
          <p key={name} class="note">
            {name}: {message ?? reason}
          </p>
        ))}
      {versions.map((version) => (
        <Version key={version.name} version={version} />
      ))}
    </section>
  );
}

/** Other conditions report a problem when they are true. */
function isGood(name: string): boolean {
  return name === 'Established' || name === 'NamesAccepted';
}

function Version({ version }: { version: DefinitionVersion }) {
  const {
    name,
    served,
    storage,
    deprecated,
    additionalPrinterColumns: columns = [],
    schema,
    subresources = {},
  } = version;
  const words = [
    served ? 'served' : 'not served',
    storage && 'stored',
    deprecated && 'deprecated',
    ...Object.keys(subresources),
  ];
  return (
    <details class="value-item">
      <summary>
        {name} <span class="muted version-words">{words.filter(Boolean).join(', ')}</span>
      </summary>
      <div>
        {columns.length > 0 && (
          <table class="plain" aria-label={`Columns of ${name}`}>
            <thead>
              <tr>
                <th scope="col">Column</th>
                <th scope="col">Type</th>
                <th scope="col">Path</th>
                <th scope="col">Description</th>
              </tr>
            </thead>
            <tbody>
              {columns.map((column) => (
                <tr key={column.name}>
                  <td>{column.name}</td>
                  <td>{column.type}</td>
                  <td>
                    <code>{column.jsonPath}</code>
                  </td>
                  <td class="wrap">{column.description}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {schema?.openAPIV3Schema && <SchemaTree schema={schema.openAPIV3Schema} />}
      </div>
    </details>
  );
}
