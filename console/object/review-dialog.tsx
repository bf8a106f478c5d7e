import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ApiError } from '../api/api-error.ts';
import { type ApiObject, comparable } from '../api/api-object.ts';
import { type WriteResponse, writeObject } from '../api/request.ts';
import type { ResourceType } from '../api/resource-type.ts';
import type { TypeSchema } from '../api/schema-loader.ts';
import { applyConfiguration } from '../document/apply-configuration.ts';
import { type Conflict, conflictsOf, findField, withoutField } from '../document/conflicts.ts';
import { parseYaml } from '../document/parse-yaml.ts';
import { formatPath, isObject, valueAt } from '../document/path.ts';
import { toYaml } from '../document/yaml-lines.ts';
import { Dialog } from '../shared/dialog.tsx';
import { DiffView } from '../shared/diff-view.tsx';
import { showToast, showWarnings } from '../state/toasts.ts';
import { AdmissionReport } from './admission-report.tsx';
import { fieldManager } from './field-manager.ts';
import { Refusal } from './refusal.tsx';

type Mode = 'apply' | 'replace';
type Choice = 'mine' | 'theirs';

export interface ReviewDialogProps {
  readonly live: ApiObject;
  /** The object from which the text was created. */
  readonly base: ApiObject;
  readonly text: string;
  readonly type: ResourceType;
  readonly schema: TypeSchema | undefined;
  readonly path: string;
  /** Defaults to the mode that can write the whole edit. */
  readonly initialMode?: Mode;
  readonly onClose: () => void;
  readonly onApplied: (object: ApiObject) => void;
}

interface Trial {
  readonly result?: WriteResponse<ApiObject> | undefined;
  readonly conflicts: readonly Conflict[];
  readonly error?: Error | undefined;
}

/** Tries a change with a dry run and shows its effect. Nothing is written before the user has seen it. */
export function ReviewDialog(props: ReviewDialogProps) {
  const { live, base, text, schema, path, onClose, onApplied } = props;
  const parsed = parse(text);
  const edit = isObject(parsed.value)
    ? applyConfiguration({
        live: base as never,
        edited: parsed.value,
        manager: fieldManager,
        schema: schema && { schemas: schema.schemas, root: schema.schema },
      })
    : undefined;
  const mode = useSignal<Mode>(props.initialMode ?? ((edit?.removed.length ?? 0) > 0 ? 'replace' : 'apply'));
  const choices = useSignal<Readonly<Record<string, Choice>>>({});
  const known = useSignal<readonly Conflict[]>([]);
  const trial = useSignal<Trial | undefined>(undefined);
  const isBusy = useSignal(false);

  const send = (isDryRun: boolean) => {
    const dryRun: Record<string, string> = isDryRun ? { dryRun: 'All' } : {};
    if (mode.value === 'replace') {
      const query = new URLSearchParams({ fieldManager, fieldValidation: 'Warn', ...dryRun });
      return writeObject<ApiObject>(`${path}?${query}`, { method: 'PUT', body: parsed.value });
    }
    let body: unknown = edit!.object;
    for (const { field } of known.value) {
      if (choices.value[field] !== 'theirs') continue;
      const at = findField(body, field);
      if (at) body = withoutField(body, at);
    }
    const isForced = known.value.some(({ field }) => choices.value[field] === 'mine');
    const query = new URLSearchParams({ fieldManager, fieldValidation: 'Warn', force: String(isForced), ...dryRun });
    const contentType = 'application/apply-patch+yaml';
    return writeObject<ApiObject>(`${path}?${query}`, { method: 'PATCH', contentType, body });
  };

  useEffect(() => {
    if (!edit) return;
    // Applying again without this choice would be rejected again.
    if (mode.value === 'apply' && known.value.some(({ field }) => choices.value[field] === undefined)) return;
    let isCurrent = true;
    send(true).then(
      (result) => {
        if (isCurrent) trial.value = { result, conflicts: [] };
      },
      (error: Error) => {
        if (!isCurrent) return;
        const conflicts = error instanceof ApiError ? conflictsOf(error.causes) : [];
        known.value = [
          ...known.value,
          ...conflicts.filter(({ field }) => !known.value.some((other) => other.field === field)),
        ];
        trial.value = { conflicts, error };
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [mode.value, choices.value, live]);

  const apply = async () => {
    isBusy.value = true;
    try {
      const { value, warnings } = await send(false);
      showWarnings(warnings);
      showToast({ kind: 'done', text: `${live.kind} ${live.metadata.name} was written` });
      onApplied(value);
    } catch (error) {
      trial.value = { conflicts: [], error: error as Error };
    }
    isBusy.value = false;
  };

  const problem = parsed.error ?? (edit ? undefined : 'The document must be an object.');
  const { result, error } = trial.value ?? {};
  const isConflict = mode.value === 'apply' && known.value.length > 0;
  return (
    <Dialog title="Review changes" isWide onClose={onClose}>
      {problem ? (
        <p class="problem" role="alert">
          {problem}
        </p>
      ) : (
        <div class="review">
          <ModeChoice mode={mode} removed={edit!.removed.map(formatPath)} />
          {isConflict && <Conflicts conflicts={known.value} choices={choices} live={live} mine={edit!.object} />}
          {error && !(isConflict && trial.value!.conflicts.length > 0) && <Refusal error={error} />}
          {error instanceof ApiError && <AdmissionReport steps={error.steps} />}
          {result && (
            <>
              {result.warnings.map((warning) => (
                <p key={warning} class="note">
                  {warning}
                </p>
              ))}
              <AdmissionReport steps={result.steps} />
              <h3>What the server would change</h3>
              <DiffView before={toYaml(comparable(live))} after={toYaml(comparable(result.value))} />
            </>
          )}
          {!trial.value && <p class="muted">Trying…</p>}
        </div>
      )}
      <div class="actions">
        <button type="button" class="button" onClick={onClose}>
          Back
        </button>
        <button type="button" class="button primary" disabled={!result || isBusy.value} onClick={apply}>
          {mode.value === 'apply' ? 'Apply' : 'Replace'}
        </button>
      </div>
    </Dialog>
  );
}

function parse(text: string): { value?: unknown; error?: string } {
  try {
    return { value: parseYaml(text) };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

function ModeChoice({ mode, removed }: { mode: { value: Mode }; removed: readonly string[] }) {
  return (
    <fieldset class="mode">
      <legend class="visually-hidden">How to write</legend>
      <label class="choice">
        <input
          type="radio"
          name="mode"
          checked={mode.value === 'apply'}
          onChange={() => {
            mode.value = 'apply';
          }}
        />
        <span>
          Apply what changed <span class="muted">as {fieldManager}, conflicts are shown</span>
        </span>
      </label>
      <label class="choice">
        <input
          type="radio"
          name="mode"
          checked={mode.value === 'replace'}
          onChange={() => {
            mode.value = 'replace';
          }}
        />
        <span>
          Replace the object <span class="muted">if nobody changed it meanwhile</span>
        </span>
      </label>
      {removed.length > 0 && mode.value === 'apply' && (
        <p class="note">
          Applying does not remove fields of other managers: <code>{removed.slice(0, 5).join(', ')}</code>
        </p>
      )}
    </fieldset>
  );
}

function Conflicts(props: {
  conflicts: readonly Conflict[];
  choices: { value: Readonly<Record<string, Choice>> };
  live: ApiObject;
  mine: unknown;
}) {
  const { conflicts, choices, live, mine } = props;
  const choose = (fields: readonly string[], choice: Choice) => {
    choices.value = { ...choices.value, ...Object.fromEntries(fields.map((field) => [field, choice])) };
  };
  const show = (object: unknown, field: string) => {
    const path = findField(object, field);
    const value = path && valueAt(object, path);
    return value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
  };
  return (
    <section class="conflicts" aria-label="Conflicts">
      <h3>Other managers own these fields</h3>
      <div class="scroll-x">
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Manager</th>
              <th scope="col">Theirs</th>
              <th scope="col">Yours</th>
              <th scope="col">Decision</th>
            </tr>
          </thead>
          <tbody>
            {conflicts.map(({ field, manager }) => (
              <tr key={`${field}/${manager}`}>
                <td>
                  <code>{field}</code>
                </td>
                <td>{manager}</td>
                <td>{show(live, field)}</td>
                <td>{show(mine, field)}</td>
                <td>
                  <fieldset class="decision">
                    <legend class="visually-hidden">{field}</legend>
                    {(['mine', 'theirs'] as const).map((choice) => (
                      <label key={choice} class="choice">
                        <input
                          type="radio"
                          name={`choice ${field}`}
                          checked={choices.value[field] === choice}
                          onChange={() => choose([field], choice)}
                        />
                        {choice === 'mine' ? 'take over' : 'keep theirs'}
                      </label>
                    ))}
                  </fieldset>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {conflicts.length > 1 && (
        <button
          type="button"
          class="button"
          onClick={() =>
            choose(
              conflicts.map(({ field }) => field),
              'mine',
            )
          }
        >
          Take over all
        </button>
      )}
    </section>
  );
}
