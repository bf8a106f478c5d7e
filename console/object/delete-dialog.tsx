import { useSignal } from '@preact/signals';
import type { ApiObject } from '../api/api-object.ts';
import { writeObject } from '../api/request.ts';
import { Dialog } from '../shared/dialog.tsx';
import { showError, showToast, showWarnings } from '../state/toasts.ts';

const policies = {
  '': 'As the type does by default',
  Background: 'Delete it now, its dependents afterwards',
  Foreground: 'Delete its dependents first',
  Orphan: 'Keep its dependents',
} as const;

export function DeleteDialog(props: { object: ApiObject; path: string; onClose: () => void }) {
  const { object, path, onClose } = props;
  const policy = useSignal<keyof typeof policies>('');
  const grace = useSignal('');
  const isStrict = useSignal(false);
  const isBusy = useSignal(false);
  const { uid, resourceVersion, finalizers = [], name } = object.metadata;
  const send = async (event: Event) => {
    event.preventDefault();
    isBusy.value = true;
    const body = {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      // Deletes only the displayed object, not one that was created under the same name meanwhile.
      preconditions: { uid, ...(isStrict.value && { resourceVersion }) },
      ...(policy.value && { propagationPolicy: policy.value }),
      ...(grace.value && { gracePeriodSeconds: Number(grace.value) }),
    };
    try {
      const { warnings } = await writeObject(path, { method: 'DELETE', body });
      showWarnings(warnings);
      showToast({ kind: 'done', text: `${object.kind} ${name}: deletion requested` });
      onClose();
    } catch (error) {
      showError(error);
    }
    isBusy.value = false;
  };
  return (
    <Dialog title={`Delete ${object.kind} ${name}?`} onClose={onClose}>
      <form class="form" onSubmit={send}>
        <fieldset>
          <legend>Dependents</legend>
          {(Object.keys(policies) as (keyof typeof policies)[]).map((key) => (
            <label key={key} class="choice">
              <input
                type="radio"
                name="policy"
                checked={policy.value === key}
                onChange={() => {
                  policy.value = key;
                }}
              />
              {policies[key]}
            </label>
          ))}
        </fieldset>
        <label class="field">
          <span>Grace period in seconds</span>
          <input
            type="number"
            min="0"
            placeholder="default"
            value={grace.value}
            onInput={(event) => {
              grace.value = event.currentTarget.value;
            }}
          />
        </label>
        <label class="choice">
          <input
            type="checkbox"
            checked={isStrict.value}
            onChange={(event) => {
              isStrict.value = event.currentTarget.checked;
            }}
          />
          Only if it has not changed since version {resourceVersion}
        </label>
        {finalizers.length > 0 && (
          <p class="note">
            It stays until these finalizers have been removed: <code>{finalizers.join(', ')}</code>
          </p>
        )}
        <div class="actions">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button danger" disabled={isBusy.value}>
            Delete
          </button>
        </div>
      </form>
    </Dialog>
  );
}
