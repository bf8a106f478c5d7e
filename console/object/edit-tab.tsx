import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { type ApiObject, withoutManagedFields } from '../api/api-object.ts';
import type { ResourceType } from '../api/resource-type.ts';
import { loadSchema, type TypeSchema } from '../api/schema-loader.ts';
import { toYaml } from '../document/yaml-lines.ts';
import { lazy } from '../shell/lazy.tsx';
import { showError } from '../state/toasts.ts';
import { ReviewDialog } from './review-dialog.tsx';

const YamlEditor = lazy(() => import('../editor/yaml-editor.tsx').then((module) => module.default));

export interface EditTabProps {
  readonly object: ApiObject;
  readonly type: ResourceType;
  readonly path: string;
  readonly isGone: boolean;
}

export function EditTab({ object, type, path, isGone }: EditTabProps) {
  const live = useMemo(() => toYaml(withoutManagedFields(object)), [object]);
  /** The object from which the text was created. */
  const base = useSignal({ object, text: live });
  const text = useSignal(live);
  const schema = useSignal<TypeSchema | undefined>(undefined);
  const isReviewing = useSignal(false);
  const revision = useSignal(0);
  const isChanged = text.value !== base.value.text;
  const isBehind = base.value.text !== live;
  useEffect(() => {
    loadSchema(type).then((found) => {
      schema.value = found;
    }, showError);
  }, []);
  const reload = () => {
    base.value = { object, text: live };
    text.value = live;
    revision.value++;
  };
  useEffect(() => {
    // The user has not typed anything that could be lost.
    if (text.peek() === base.peek().text) reload();
  }, [live]);
  const canWrite = type.verbs.includes('patch') || type.verbs.includes('update');
  return (
    <div class="edit-tab">
      <div class="edit-bar">
        <p class="muted">
          {isChanged && isBehind
            ? 'The object has changed meanwhile. The review compares with its newest version.'
            : isChanged
              ? 'Changed, not yet applied.'
              : schema.value
                ? 'Ctrl-Space suggests fields.'
                : ''}
        </p>
        <span class="spacer" />
        <button type="button" class="button" disabled={!isChanged && !isBehind} onClick={reload}>
          Discard
        </button>
        <button
          type="button"
          class="button primary"
          disabled={!isChanged || isGone || !canWrite}
          onClick={() => {
            isReviewing.value = true;
          }}
        >
          Review changes
        </button>
      </div>
      <YamlEditor
        label={`YAML of ${object.kind} ${object.metadata.name}`}
        value={text.value}
        revision={revision.value}
        schema={schema.value}
        onChange={(written) => {
          text.value = written;
        }}
        onSubmit={() => {
          if (isChanged) isReviewing.value = true;
        }}
      />
      {isReviewing.value && (
        <ReviewDialog
          live={object}
          base={base.value.object}
          text={text.value}
          type={type}
          schema={schema.value}
          path={path}
          onClose={() => {
            isReviewing.value = false;
          }}
          onApplied={(applied) => {
            const written = toYaml(withoutManagedFields(applied));
            base.value = { object: applied, text: written };
            text.value = written;
            revision.value++;
            isReviewing.value = false;
          }}
        />
      )}
    </div>
  );
}
