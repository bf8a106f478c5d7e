import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type ApiObject, comparable, withoutManagedFields } from '../api/api-object.ts';
import { listRevisions, objectAt, type Revision, type RevisionList } from '../api/history.ts';
import type { ResourceType } from '../api/resource-type.ts';
import { toYaml } from '../document/yaml-lines.ts';
import { formatDuration } from '../shared/age.ts';
import { DiffView } from '../shared/diff-view.tsx';
import { now } from '../shared/now.ts';
import { query, setQuery } from '../state/router.ts';
import { showError } from '../state/toasts.ts';
import { CreateDialog } from './create-dialog.tsx';
import { ReviewDialog } from './review-dialog.tsx';

export interface HistoryTabProps {
  /** The current object. Undefined if it was deleted. */
  readonly live: ApiObject | undefined;
  readonly type: ResourceType;
  readonly path: string;
}

interface Versions {
  readonly chosen: ApiObject | undefined;
  readonly previous: ApiObject | undefined;
}

/** The versions of an object that the store still has. */
export function HistoryTab({ live, type, path }: HistoryTabProps) {
  const list = useSignal<RevisionList | undefined>(undefined);
  const problem = useSignal('');
  const versions = useSignal<Versions | undefined>(undefined);
  const isRestoring = useSignal(false);
  const isAgainstNow = useSignal(false);
  useEffect(() => {
    const controller = new AbortController();
    listRevisions(path, controller.signal).then(
      (found) => {
        list.value = found;
        problem.value = '';
      },
      (error: Error) => {
        if (!controller.signal.aborted) problem.value = error.message;
      },
    );
    return () => controller.abort();
  }, [path, live?.metadata.resourceVersion]);
  const revisions = list.value?.revisions.toReversed() ?? [];
  const chosen = revisions.find(({ revision }) => revision === query.value.rev) ?? revisions[0];
  const previous = chosen && revisions[revisions.indexOf(chosen) + 1];
  useEffect(() => {
    if (!chosen) return;
    const controller = new AbortController();
    const read = async (entry: Revision | undefined) => {
      if (!entry || entry.type === 'DELETED') return undefined;
      // An object that existed when the history starts can be read from the start of the history.
      const revision = entry.type === 'EXISTING' ? list.value!.oldestRevision : entry.revision;
      return objectAt(path, revision, controller.signal);
    };
    Promise.all([read(chosen), read(previous)]).then(
      ([own, before]) => {
        versions.value = { chosen: own, previous: before };
      },
      (error) => {
        if (!controller.signal.aborted) showError(error);
      },
    );
    return () => controller.abort();
  }, [path, chosen?.revision, previous?.revision]);
  if (problem.value) return <p class="empty">{problem.value}</p>;
  if (!list.value || !chosen) return <p class="loading">Loading…</p>;
  const own = versions.value?.chosen;
  const isCurrent = live !== undefined && chosen === revisions[0];
  return (
    <div class="history">
      <section class="card revisions" aria-label="Revisions">
        <ol>
          {revisions.map((entry) => (
            <li key={entry.revision}>
              <button
                type="button"
                aria-pressed={entry === chosen}
                onClick={() => setQuery({ rev: entry.revision }, { replace: true })}
              >
                <span class={`badge ${badges[entry.type]}`}>{words[entry.type]}</span>
                <span class="revision-who">{entry.manager ?? (entry.type === 'DELETED' ? '' : 'unknown')}</span>
                <span class="muted">
                  {entry.time ? formatDuration(now.value - Date.parse(entry.time)) : ''} · {entry.revision}
                </span>
              </button>
            </li>
          ))}
        </ol>
        <p class="hint">
          {list.value.truncated ? 'There are older revisions. ' : ''}History is kept since revision{' '}
          {list.value.oldestRevision}.
        </p>
      </section>
      <section class="card revision" aria-label="Changes of the revision">
        <header class="card-header">
          <h2>Revision {chosen.revision}</h2>
          <label class="choice">
            <input
              type="checkbox"
              checked={isAgainstNow.value}
              disabled={!live || !own}
              onChange={(event) => {
                isAgainstNow.value = event.currentTarget.checked;
              }}
            />
            Compare with now
          </label>
          <button
            type="button"
            class="button primary"
            disabled={!own || isCurrent}
            onClick={() => {
              isRestoring.value = true;
            }}
          >
            Restore this
          </button>
        </header>
        {versions.value && (
          <DiffView
            before={isAgainstNow.value && own ? textOf(own) : textOf(versions.value.previous)}
            after={isAgainstNow.value && own ? textOf(live) : textOf(own)}
          />
        )}
      </section>
      {isRestoring.value && own && (
        <Restore
          own={own}
          live={live}
          type={type}
          path={path}
          onClose={() => {
            isRestoring.value = false;
          }}
        />
      )}
    </div>
  );
}

const words = { ADDED: 'created', MODIFIED: 'changed', DELETED: 'deleted', EXISTING: 'existed' };
const badges = { ADDED: 'badge-good', MODIFIED: '', DELETED: 'badge-bad', EXISTING: '' };

function textOf(object: ApiObject | undefined): string {
  return object ? toYaml(comparable(object)) : '';
}

interface RestoreProps extends HistoryTabProps {
  readonly own: ApiObject;
  readonly onClose: () => void;
}

/** Restores an old version like any other edit: as a replacement, or as a new object if it was deleted. */
function Restore({ own, live, type, path, onClose }: RestoreProps) {
  const { status: _, ...shown } = withoutManagedFields(own);
  const { uid: __, resourceVersion: ___, creationTimestamp: ____, generation: _____, ...metadata } = shown.metadata;
  const { deletionTimestamp: ______, deletionGracePeriodSeconds: _______, ...kept } = metadata;
  if (!live) {
    return (
      <CreateDialog text={toYaml({ ...shown, metadata: kept })} type={type} onClose={onClose} onCreated={onClose} />
    );
  }
  const { uid, resourceVersion } = live.metadata;
  const restored = {
    ...shown,
    metadata: { ...kept, uid, resourceVersion },
    ...(live.status !== undefined && { status: live.status }),
  };
  return (
    <ReviewDialog
      live={live}
      base={live}
      text={toYaml(restored)}
      type={type}
      schema={undefined}
      path={path}
      initialMode="replace"
      onClose={onClose}
      onApplied={onClose}
    />
  );
}
