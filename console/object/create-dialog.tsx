import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ApiError } from '../api/api-error.ts';
import { type ApiObject, withoutManagedFields } from '../api/api-object.ts';
import { type WriteResponse, writeObject } from '../api/request.ts';
import { type ResourceType, resourcePath } from '../api/resource-type.ts';
import { parseYaml } from '../document/parse-yaml.ts';
import { isObject } from '../document/path.ts';
import { toYaml } from '../document/yaml-lines.ts';
import { Dialog } from '../shared/dialog.tsx';
import { DiffView } from '../shared/diff-view.tsx';
import { typeOfKind } from '../state/catalog.ts';
import { navigate } from '../state/router.ts';
import { routes } from '../state/routes.ts';
import { showToast, showWarnings } from '../state/toasts.ts';
import { AdmissionReport } from './admission-report.tsx';
import { fieldManager } from './field-manager.ts';
import { Refusal } from './refusal.tsx';

export interface CreateDialogProps {
  readonly text: string;
  /** The type to use if the document does not contain one. */
  readonly type: ResourceType | undefined;
  readonly namespace?: string | undefined;
  readonly onClose: () => void;
  readonly onCreated?: () => void;
}

/** Tries to create an object with a dry run, shows the result, and then creates the object. */
export function CreateDialog({ text, type, namespace, onClose, onCreated }: CreateDialogProps) {
  const trial = useSignal<WriteResponse<ApiObject> | undefined>(undefined);
  const problem = useSignal<Error | undefined>(undefined);
  const isBusy = useSignal(false);
  const send = async (isDryRun: boolean) => {
    const { object, path } = read(text, { type, namespace });
    const query = new URLSearchParams({ fieldManager, fieldValidation: 'Warn', ...(isDryRun && { dryRun: 'All' }) });
    return writeObject<ApiObject>(`${path}?${query}`, { method: 'POST', body: object });
  };
  useEffect(() => {
    send(true).then(
      (response) => {
        trial.value = response;
      },
      (error: Error) => {
        problem.value = error;
      },
    );
  }, []);
  const create = async () => {
    isBusy.value = true;
    try {
      const { value, warnings } = await send(false);
      showWarnings(warnings);
      showToast({ kind: 'done', text: `${value.kind} ${value.metadata.name} was created` });
      const created = typeOfKind(value.apiVersion ?? '', value.kind ?? '') ?? type;
      onClose();
      if (onCreated) onCreated();
      else if (created) navigate(routes.object(created, value.metadata));
    } catch (error) {
      problem.value = error as Error;
    }
    isBusy.value = false;
  };
  const written = trial.value && read(text, { type, namespace }).object;
  return (
    <Dialog title="Review the new object" isWide onClose={onClose}>
      <div class="review">
        {problem.value && <Refusal error={problem.value} />}
        {problem.value instanceof ApiError && <AdmissionReport steps={problem.value.steps} />}
        {trial.value && written && (
          <>
            {trial.value.warnings.map((warning) => (
              <p key={warning} class="note">
                {warning}
              </p>
            ))}
            <AdmissionReport steps={trial.value.steps} />
            <h3>What defaults and admission make of it</h3>
            <DiffView before={normalized(written as unknown as ApiObject)} after={normalized(trial.value.value)} />
          </>
        )}
        {!trial.value && !problem.value && <p class="muted">Trying…</p>}
      </div>
      <div class="actions">
        <button type="button" class="button" onClick={onClose}>
          Back
        </button>
        <button type="button" class="button primary" disabled={!trial.value || isBusy.value} onClick={create}>
          Create
        </button>
      </div>
    </Dialog>
  );
}

function read(
  text: string,
  given: { type: ResourceType | undefined; namespace: string | undefined },
): { object: Record<string, unknown>; path: string } {
  const object = parseYaml(text);
  if (!isObject(object)) throw new Error('The document must be an object.');
  const { apiVersion, kind, metadata } = object;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string')
    throw new Error('The document must have apiVersion and kind.');
  const type = typeOfKind(apiVersion, kind) ?? given.type;
  if (!type) throw new Error(`The server has no type ${kind} in ${apiVersion}.`);
  const own = isObject(metadata) && typeof metadata.namespace === 'string' ? metadata.namespace : undefined;
  const namespace = type.namespaced ? (own ?? given.namespace ?? 'default') : undefined;
  return { object, path: resourcePath(type, { namespace }) };
}

/** Returns an object with its fields in a fixed order, without the fields that the server sets on every new object. */
function normalized(object: ApiObject): string {
  const { uid: _, creationTimestamp: __, generation: ___, resourceVersion: ____, ...metadata } = object.metadata ?? {};
  const shown = withoutManagedFields({ ...object, metadata: sorted(metadata) as ApiObject['metadata'] });
  return toYaml(Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, sorted(value)])));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name])]),
  );
}
