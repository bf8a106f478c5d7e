import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { apiVersionOf, type ResourceType } from '../api/resource-type.ts';
import { loadSchema, type TypeSchema } from '../api/schema-loader.ts';
import { parseYaml, YamlError } from '../document/parse-yaml.ts';
import { isObject } from '../document/path.ts';
import { toYaml } from '../document/yaml-lines.ts';
import { CreateDialog } from '../object/create-dialog.tsx';
import { lazy } from '../shell/lazy.tsx';
import { typeOfKind } from '../state/catalog.ts';
import { namespace } from '../state/namespaces.ts';
import { query, setQuery } from '../state/router.ts';
import { showError } from '../state/toasts.ts';
import { SchemaForm } from './schema-form.tsx';
import { skeleton } from './skeleton.ts';

const YamlEditor = lazy(() => import('../editor/yaml-editor.tsx').then((module) => module.default));

/** The page for a new object, written as YAML or in a form. Both show the same document. */
export function CreatePage({ type }: { type: ResourceType | undefined }) {
  const text = useSignal('');
  const schema = useSignal<TypeSchema | undefined>(undefined);
  const isReviewing = useSignal(false);
  const revision = useSignal(0);
  const ns = namespace.value;
  useEffect(() => {
    if (!type) return;
    const start = {
      apiVersion: apiVersionOf(type),
      kind: type.kind,
      metadata: { name: '', ...(type.namespaced && { namespace: ns ?? 'default' }) },
    };
    text.value = toYaml(start);
    revision.value++;
    loadSchema(type).then((found) => {
      schema.value = found;
      if (!found || text.value !== toYaml(start)) return;
      text.value = toYaml({ ...start, ...skeleton(found) });
      revision.value++;
    }, showError);
  }, []);
  const value = read(text.value);
  // The user may write the type in the document instead of choosing it.
  const written = isObject(value) ? typeOfKind(String(value.apiVersion), String(value.kind)) : undefined;
  const kind = written ?? type;
  useEffect(() => {
    if (type || !written) return;
    loadSchema(written).then((found) => {
      schema.value = found;
    }, showError);
  }, [written]);
  const isForm = query.value.tab === 'form' && schema.value !== undefined;
  return (
    <div class="page page-full">
      <header class="page-header">
        <h1>New {kind?.kind ?? 'object'}</h1>
        <span class="spacer" />
        {schema.value && (
          <fieldset class="switch">
            <legend class="visually-hidden">How to write it</legend>
            {['yaml', 'form'].map((key) => (
              <button
                key={key}
                type="button"
                aria-pressed={isForm === (key === 'form')}
                onClick={() => setQuery({ tab: key }, { replace: true })}
              >
                {key === 'form' ? 'Form' : 'YAML'}
              </button>
            ))}
          </fieldset>
        )}
        <button
          type="button"
          class="button primary"
          disabled={text.value.trim() === ''}
          onClick={() => {
            isReviewing.value = true;
          }}
        >
          Try and review
        </button>
      </header>
      <div class="tab-panel">
        {isForm ? (
          isObject(value) ? (
            <SchemaForm
              type={schema.value!}
              value={value}
              onChange={(changed) => {
                text.value = toYaml(changed);
              }}
            />
          ) : (
            <p class="empty">The document is not valid YAML: go back to it.</p>
          )
        ) : (
          <div class="edit-tab">
            <YamlEditor
              label="YAML of the new object"
              value={text.value}
              revision={revision.value}
              schema={schema.value}
              onChange={(changed) => {
                text.value = changed;
              }}
              onSubmit={() => {
                isReviewing.value = true;
              }}
            />
          </div>
        )}
      </div>
      {isReviewing.value && (
        <CreateDialog
          text={text.value}
          type={kind}
          namespace={ns}
          onClose={() => {
            isReviewing.value = false;
          }}
        />
      )}
    </div>
  );
}

function read(text: string): unknown {
  try {
    return parseYaml(text);
  } catch (error) {
    if (error instanceof YamlError) return undefined;
    throw error;
  }
}
